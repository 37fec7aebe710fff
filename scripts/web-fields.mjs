// Checks the types of the dashboard, and that it knows each field of what people work with: it reads what an answer has, and writes
// what a request takes. A field that it leaves out on purpose stands in `LEFT_OUT`.
import path from "node:path";
import ts from "typescript";

const root = path.resolve(import.meta.dirname, "..");
const config = path.join(root, "web/tsconfig.json");
const { options, fileNames } = ts.getParsedCommandLineOfConfigFile(config, {}, ts.sys);
const program = ts.createProgram(fileNames, options);
const problems = ts.getPreEmitDiagnostics(program);
if (problems.length) {
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => "\n" };
  console.log(ts.formatDiagnostics(problems, host));
  process.exit(1);
}

const RESOURCES =
  "Account|Booking|CannedReply|Case|Channel|Contact|Conversation|KbEntry|Label|Message|PolicyEntry|Source|Workspace";
/** People read all that they say. */
const ANSWERS = new RegExp(`^(?:${RESOURCES})$`);
/** Forms write all that they take. A form may pass on what it holds by another type, so only the names are compared. */
const REQUESTS = new RegExp(`^(?:Create|Update)(?:${RESOURCES})$`);

const LISTED = "a list of these has no room for it";
const NAMED = "the screen has what it names";
const INTEGRATIONS = "for integrations";
/** Fields that no screen has, and why. */
const LEFT_OUT = {
  Account: { updatedAt: LISTED },
  Booking: { calendarId: NAMED, createdAt: LISTED, description: LISTED, updatedAt: LISTED, workspaceId: NAMED },
  CannedReply: { createdAt: LISTED, language: INTEGRATIONS, updatedAt: LISTED },
  Case: { accountId: NAMED, workspaceId: NAMED },
  Channel: { createdAt: LISTED, updatedAt: LISTED },
  Conversation: {
    accountId: NAMED,
    brandId: NAMED,
    externalId: INTEGRATIONS,
    firstReplyAt: LISTED,
    openAttentionCount: NAMED,
    resolution: INTEGRATIONS,
    resolvedAt: LISTED,
    resolvedBy: INTEGRATIONS,
  },
  KbEntry: { evidenceCount: NAMED, replacesDuplicate: INTEGRATIONS, updatedAt: LISTED },
  Label: { createdAt: LISTED, updatedAt: LISTED },
  Message: {
    authentication: INTEGRATIONS,
    externalId: INTEGRATIONS,
    heldUntil: NAMED,
    occurredAt: INTEGRATIONS,
    senderProof: NAMED,
  },
  PolicyEntry: { evidenceCount: NAMED, updatedAt: LISTED },
  Source: { createdAt: LISTED, error: "the dashboard has a text for its code", updatedAt: LISTED },
  UpdateConversation: { metadata: INTEGRATIONS },
  Workspace: { brandId: NAMED, createdAt: LISTED, identityRetentionMonths: NAMED, updatedAt: LISTED },
};

const checker = program.getTypeChecker();
const read = new Set();
const written = new Set();
const use = (symbol) => symbol?.declarations?.forEach((declaration) => read.add(declaration));
const nameOf = (node) => (node && (ts.isIdentifier(node) || ts.isStringLiteral(node)) ? node.text : undefined);

function visit(node) {
  if (ts.isPropertyAccessExpression(node)) use(checker.getSymbolAtLocation(node.name));
  else if (ts.isElementAccessExpression(node)) {
    const record = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
    const key = checker.getTypeAtLocation(node.argumentExpression);
    for (const one of key.isUnion() ? key.types : [key])
      if (one.isStringLiteral()) use(checker.getPropertyOfType(record, one.value));
  } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
    use(
      checker.getPropertyOfType(checker.getTypeAtLocation(node.parent), nameOf(node.propertyName ?? node.name) ?? ""),
    );
  else if (ts.isObjectLiteralElementLike(node)) written.add(nameOf(node.name));
  else if (ts.isStringLiteral(node)) written.add(node.text);
  ts.forEachChild(node, visit);
}
for (const file of program.getSourceFiles()) {
  // Texts have the names of fields, and are no forms.
  if (/\/web\/src\/(?!i18n\/)/.test(file.fileName)) visit(file);
}
const wrong = [];
const schema = program.getSourceFiles().find(({ fileName }) => fileName.endsWith("/sdk/src/generated/schema.ts"));
const components = schema.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === "components");
for (const { name, type } of components.members.find((one) => nameOf(one.name) === "schemas").type.members) {
  if (!ts.isTypeLiteralNode(type)) continue;
  const fields = type.members.filter(ts.isPropertySignature);
  const answers = ANSWERS.test(name.text);
  if (!answers && !REQUESTS.test(name.text)) continue;
  const missing = fields
    .filter((field) => (answers ? !read.has(field) : !written.has(nameOf(field.name))))
    .map((field) => nameOf(field.name));
  const leftOut = LEFT_OUT[name.text] ?? {};
  for (const field of missing)
    if (!leftOut[field])
      wrong.push(`No screen has ${name.text}.${field}: show it, or say why not in scripts/web-fields.mjs`);
  for (const field of Object.keys(leftOut))
    if (!missing.includes(field))
      wrong.push(`A screen has ${name.text}.${field}: take it out of scripts/web-fields.mjs`);
}
if (wrong.length) console.log(wrong.join("\n"));
process.exit(wrong.length ? 1 : 0);

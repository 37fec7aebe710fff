// Shows openapi.json with Swagger UI, and lets you try the operations with a key.

/** A pointer such as `#/components/schemas/Workspace`, as the path of its keys. */
const keysOf = (reference) =>
  reference
    .slice(2)
    .split("/")
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
const valueAt = (document, keys) => keys.reduce((value, key) => value?.[key], document);

/** The value with what its references stand for. A schema that contains itself keeps the reference to itself. */
function resolved(value, document, within = []) {
  if (Array.isArray(value)) return value.map((item) => resolved(item, document, within));
  if (typeof value !== "object" || value === null) return value;
  const { $ref: reference, ...beside } = value;
  if (typeof reference !== "string") {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, document, within)]));
  }
  if (!reference.startsWith("#/") || within.includes(reference)) return value;
  const target = resolved(valueAt(document, keysOf(reference)), document, [...within, reference]);
  return { ...target, ...beside, $$ref: reference };
}

/**
 * Swagger UI looks through the whole document for each part that it shows: it may refer to documents elsewhere. This one does not,
 * so the part is enough. It also reads the document as YAML, of which JSON is the fast part.
 */
const quick = () => ({
  fn: {
    resolveSubtree: (document, path) =>
      Promise.resolve({ spec: resolved(valueAt(document, path), document), errors: [] }),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_, { specActions }) =>
          (text) =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
});

const element = (id) => document.getElementById(id);

function show(text, isFault) {
  element("key-result").textContent = text;
  element("key-result").classList.toggle("fault", isFault);
}

/** Whose key it is, in words. */
function described({ kind, name, environment, scopes, role, reach }) {
  const where =
    reach?.level === "workspaces" ? "some workspaces" : reach?.level === "brand" ? "one brand" : "all workspaces";
  return kind === "apiKey"
    ? `This is the ${environment} key “${name}” with ${scopes.length} ${scopes.length === 1 ? "scope" : "scopes"}, for ${where}. Try an operation below.`
    : `This is a session of a member (${role}) on the ${environment} side. Try an operation below.`;
}

/** Uses the key for all operations that take one, and says whose it is. */
async function use(key, ui, api) {
  const schemes = api.paths["/api/me"].get.security.flatMap((one) => Object.keys(one));
  if (ui.authSelectors.authorized().size) ui.authActions.logout(schemes);
  const answer = await fetch("api/me", { headers: { Authorization: `Bearer ${key}` } });
  const caller = await answer.json();
  if (!answer.ok) {
    show(
      answer.status === 401
        ? "401: the server does not know this key, or it has expired or was revoked."
        : `${answer.status}: ${caller.error}`,
      true,
    );
    return;
  }
  for (const name of schemes) {
    ui.authActions.authorize({ [name]: { name, schema: api.components.securitySchemes[name], value: key } });
  }
  show(described(caller), false);
}

async function start() {
  const api = await (await fetch("openapi.json")).json();
  const server = new URL(".", location.href).href.slice(0, -1);
  api.info.description = api.info.description.replaceAll("http://localhost:3000", server);
  const ui = window.SwaggerUIBundle({
    spec: api,
    dom_id: "#reference",
    layout: "BaseLayout",
    plugins: [quick],
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
  element("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    use(element("key").value.trim(), ui, api).catch(() => show("The server did not answer. Try again.", true));
  });
}

start().catch(() => {
  element("reference").textContent = "The operations could not be loaded. Reload the page.";
});

/**
 * What in `after` breaks a client that was written for `before`, by the rules of docs/versions.md: what is gone or renamed,
 * a request that was valid and is refused, an answer that lacks what it had, another scope.
 * @returns one line for each
 */
export function breakingChanges(before, after) {
  const found = [];
  for (const [route, methods] of Object.entries(before.paths))
    for (const [method, old] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${route}`;
      const now = after.paths[route]?.[method];
      if (!now) found.push(`${name}: the operation is gone`);
      else operation(name, old, now);
    }
  return [...new Set(found)];

  function operation(name, old, now) {
    const say = (text) => found.push(`${name}: ${text}`);
    if (old.operationId !== now.operationId) say(`it was named ${old.operationId} and is ${now.operationId}`);
    if (old["x-required-scope"] !== now["x-required-scope"] || old["x-access"] !== now["x-access"])
      say("another caller or scope is needed");
    const parametersOf = (document, { parameters = [] }) =>
      new Map(parameters.map((one) => resolve(document, one)).map((one) => [`${one.in} ${one.name}`, one]));
    const olds = parametersOf(before, old);
    const news = parametersOf(after, now);
    for (const [key, parameter] of olds) {
      const other = news.get(key);
      if (!other) say(`the parameter ${parameter.name} is gone`);
      else schema(`${name}: the parameter ${parameter.name}`, parameter.schema, other.schema, "in");
      if (other?.required && !parameter.required) say(`the parameter ${parameter.name} became mandatory`);
    }
    for (const [key, parameter] of news)
      if (parameter.required && !olds.has(key)) say(`the parameter ${parameter.name} is new and mandatory`);
    body(name, old.requestBody, now.requestBody, say);
    for (const [status, response] of Object.entries(old.responses)) {
      if (Number(status) >= 400) continue;
      const other = now.responses[status];
      if (!other) say(`it no longer answers ${status}`);
      else contents(`${name}: ${status}`, resolve(before, response).content, resolve(after, other).content, "out");
    }
  }

  function body(name, old, now, say) {
    if (old && !now) say("it takes no body any more");
    if (now?.required && !old?.required) say("the body became mandatory");
    if (old && now) contents(`${name}: the body`, old.content, now.content, "in");
  }

  function contents(where, old = {}, now = {}, way) {
    for (const [type, { schema: one }] of Object.entries(old)) {
      if (!now[type]) found.push(`${where}: ${type} is gone`);
      else if (one) schema(where, one, now[type].schema, way);
    }
  }

  function schema(where, old, now, way, seen = new Set()) {
    const say = (text) => found.push(`${where} ${text}`);
    const pair = `${old?.$ref} ${now?.$ref}`;
    if (old?.$ref && now?.$ref) {
      if (seen.has(pair)) return;
      seen = new Set(seen).add(pair);
    }
    old = flat(before, old);
    now = flat(after, now);
    for (const type of way === "in" ? old.types : now.types)
      if (!(way === "in" ? now : old).types.has(type) && old.types.size && now.types.size)
        say(way === "in" ? `no longer takes ${type}` : `may now be ${type}`);
    for (const value of old.enum ?? [])
      if (now.enum && !now.enum.includes(value)) say(`no longer has the value ${JSON.stringify(value)}`);
    if (way === "in") limits(say, old, now);
    for (const [key, property] of Object.entries(old.properties ?? {})) {
      const other = now.properties?.[key];
      if (!other) say(`no longer has ${key}`);
      else schema(`${where}.${key}`, property, other, way, seen);
      if (other && way === "out" && old.required?.includes(key) && !now.required?.includes(key))
        say(`may now lack ${key}`);
    }
    for (const key of now.required ?? []) if (way === "in" && !old.required?.includes(key)) say(`needs ${key}`);
    if (old.items && now.items) schema(`${where}[]`, old.items, now.items, way, seen);
    for (const [index, one] of (old.oneOf ?? []).entries())
      if (now.oneOf?.[index]) schema(`${where}(${index + 1})`, one, now.oneOf[index], way, seen);
      else say("has fewer alternatives");
  }

  function limits(say, old, now) {
    for (const key of ["maximum", "maxLength", "maxItems"])
      if (now[key] !== undefined && now[key] < (old[key] ?? Infinity)) say(`has a smaller ${key}: ${now[key]}`);
    for (const key of ["minimum", "minLength", "minItems"])
      if (now[key] !== undefined && now[key] > (old[key] ?? -Infinity)) say(`has a larger ${key}: ${now[key]}`);
    for (const key of ["format", "pattern", "const"])
      if (now[key] !== undefined && now[key] !== old[key]) say(`must have the ${key} ${now[key]}`);
    if (now.additionalProperties === false && old.additionalProperties !== false && old.properties)
      say("refuses unknown fields");
    if (now.enum && !old.enum && old.types.size) say("takes only listed values");
    if (JSON.stringify(now.default) !== JSON.stringify(old.default)) say("has another default");
  }
}

function resolve(document, node) {
  if (typeof node?.$ref !== "string") return node;
  const { $ref, ...rest } = node;
  const found = $ref
    .slice(2)
    .split("/")
    .reduce((inner, key) => inner[key], document);
  return { ...resolve(document, found), ...rest };
}

/** A schema without its reference. `anyOf` with null is the same as a type that may be null. */
function flat(document, given) {
  let node = resolve(document, given) ?? {};
  let nullable = false;
  const [one, other] = node.anyOf ?? [];
  if (other?.type === "null") {
    nullable = true;
    const { anyOf: _, ...rest } = node;
    node = { ...resolve(document, one), ...rest };
  }
  if (node.allOf?.length === 1) node = { ...resolve(document, node.allOf[0]), ...node };
  const types = new Set([node.type ?? []].flat());
  if (types.has("number") && !types.has("integer")) types.add("integer");
  if (nullable) types.add("null");
  return { ...node, types };
}

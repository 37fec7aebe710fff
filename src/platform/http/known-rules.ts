import { getMetadataStorage } from "class-validator";

const storage = getMetadataStorage();
type Find = typeof storage.getTargetValidationMetadatas;
const find: Find = storage.getTargetValidationMetadatas.bind(storage);
const known = new WeakMap<object, ReturnType<Find>>();

/** class-validator looks through the rules of all classes for each object that it validates. Those of a class stay the same. */
storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
  if (schema || always || strictGroups || groups?.length || typeof type !== "function")
    return find(type, schema, always, strictGroups, groups);
  let rules = known.get(type);
  if (!rules) known.set(type, (rules = find(type, schema, always, strictGroups, groups)));
  return rules;
};

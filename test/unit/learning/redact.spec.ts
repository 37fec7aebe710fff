import { expect, test } from "vitest";
import { redactor } from "../../../src/learning/redaction/redact.js";

const without = (identifiers: string[]) => redactor({ contact: [], members: [], identifiers, ours: [] });

test.each(["A.(B)*[C", "x|y|z", "$1^2", "a\\b+c?", "{3,}k"])(
  "an identifier is removed as it stands, whatever it means in a regular expression: %s",
  (identifier) => {
    expect(without([identifier])(`my id is ${identifier} here`)).not.toContain(identifier);
    expect(without([identifier])("an ordinary sentence of x and y")).toBe("an ordinary sentence of x and y");
  },
);

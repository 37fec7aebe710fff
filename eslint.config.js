import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

/** What Oxlint does not have. Everything else is in .oxlintrc.json. */
export default tseslint.config(
  {
    // Nothing in an ignored folder can be taken back, so each folder on the way to those that count is.
    ignores: [
      "*",
      ...["!src/", "!sdk/", "sdk/*", "!sdk/src/", "!bench/", "bench/*", "!bench/peers/", "bench/peers/*"],
      "!bench/peers/textbook/",
      "src/*/rows.d.ts",
      "sdk/src/generated/",
    ],
  },
  {
    files: ["src/**/*.ts", "sdk/src/**/*.ts", "bench/peers/textbook/**/*.ts"],
    plugins: { "@typescript-eslint": tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      // An import that only a decorated class's types use is needed at run time.
      parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true },
    },
    // Oxlint has the rules that comments disable.
    linterOptions: { reportUnusedDisableDirectives: "off" },
    rules: {
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports", disallowTypeAnnotations: false },
      ],
    },
  },
  {
    files: ["src/**/*.dto.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            ":matches(CallExpression[callee.name='ApiProperty'] Property[key.name='enum'] > ArrayExpression, CallExpression[callee.name='IsIn'] > ArrayExpression)[elements.length>1]",
          message: "Values are written once: declare them with namedEnum(…) and use that.",
        },
      ],
    },
  },
  {
    // Strangers write what most patterns are matched against, so each pattern needs linear time.
    files: ["src/**", "sdk/src/**"],
    plugins: { regexp },
    rules: {
      "regexp/no-dupe-disjunctions": "error",
      "regexp/no-useless-quantifier": "error",
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential", ignoreSticky: false }],
    },
  },
);

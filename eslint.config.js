import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "dist/",
      ".dev/",
      "node_modules/",
      ".data/",
      "bench/.data/",
      // Checked by its own compiler, with what the generators make.
      "bench/clients/**/*.ts",
      "bench/clients/dist/",
      "test/support/openapi.d.ts",
      "sdk/dist/",
      "sdk/src/generated/",
      // Written by `npm run rows`.
      "src/*/rows.d.ts",
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ["eslint.config.js"] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports", disallowTypeAnnotations: false },
      ],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      // A class of Nest's is often nothing but its decorator.
      "@typescript-eslint/no-extraneous-class": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" },
      ],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "no-eval": "error",
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
  {
    files: ["web/src/**"],
    extends: [reactHooks.configs.flat["recommended-latest"], jsxA11y.flatConfigs.strict],
    rules: {
      complexity: ["error", 20],
      "react-hooks/exhaustive-deps": "error",
      "react-hooks/incompatible-library": "error",
      "react-hooks/unsupported-syntax": "error",
    },
  },
  {
    files: [
      "src/server.ts",
      "src/startup.ts",
      "test/support/budget.ts",
      "src/cli/**",
      "src/replay/main.ts",
      "scripts/**",
      "bench/**",
    ],
    rules: { "no-console": "off" },
  },
  {
    files: ["test/**"],
    rules: {
      // Vitest's matchers, such as `expect.any(String)`, are `any`.
      "@typescript-eslint/no-unsafe-assignment": "off",
      // A table of clients' methods; a generator that a test iterates.
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/no-misused-promises": "off",
      "@typescript-eslint/require-await": "off",
    },
  },
  { files: ["**/*.js", "**/*.mjs", "**/*.cjs"], ...tseslint.configs.disableTypeChecked },
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
);

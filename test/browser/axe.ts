import fs from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

export interface Findings {
  violations: { id: string; impact: string; nodes: { html: string; target: string[] }[] }[];
  passes: { id: string }[];
}

const require = createRequire(import.meta.url);
const SOURCE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe finds on a page by all its rules. What passed is only named: on a large page those are thousands of elements, whose
 * selectors take longer to write than the rules to check.
 * @param exclude selectors of what is left out
 */
export async function runAxe(page: Page, exclude: string[] = []): Promise<Findings> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(SOURCE);
  return page.evaluate<Findings>(`axe
    .run({ exclude: ${JSON.stringify(exclude.map((one) => [one]))} }, { resultTypes: ["violations"] })
    .then(({ violations, passes }) => ({
      violations: violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ html, target }) => ({ html, target })),
      })),
      passes: passes.map(({ id }) => ({ id })),
    }))`);
}

/** Elements that people's mails nest. Those that end by themselves, such as a paragraph, are not counted. */
const NESTS = new Set(
  "a,abbr,article,b,bdo,big,blockquote,center,cite,code,dir,div,dl,em,fieldset,font,form,i,ins,main,nav,ol,pre,s,section,small,span,strike,strong,sub,sup,table,tt,u,ul".split(
    ",",
  ),
);
const TAG = /<(\/?)([a-z][a-z\d]{0,20})/gi;

/**
 * The beginning of a page that is no deeper than that. The converter to text needs more than linear time for pages that are: 7 seconds
 * for half a megabyte.
 */
export function withoutDepth(html: string, max: number): string {
  let depth = 0;
  for (const { 1: end, 2: name, index } of html.matchAll(TAG)) {
    if (!NESTS.has(name!.toLowerCase())) continue;
    depth = end === "/" ? Math.max(depth - 1, 0) : depth + 1;
    if (depth > max) return html.slice(0, index);
  }
  return html;
}

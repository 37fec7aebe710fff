/**
 * Spreadsheets take a cell that begins like this for a formula, and one with an apostrophe before it for text. The
 * apostrophes of the text itself count, so that reading gives back what was written.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const DEFUSED = /^'+[=+\-@\t\r\n＝＋－＠]/;
/** Such as -5 or +49301234567, which calculates nothing. */
const NUMBER = /^[+-]\d+(\.\d+)?$/;

/**
 * A cell that no spreadsheet runs. It is quoted if it holds a semicolon (`quoted_match`), for those that split at commas and
 * semicolons alike. What splits at semicolons alone, as Excel does in many languages, takes no quote for one in the middle of
 * a line: it shows all columns as one, and such a file has to be imported with the comma as its separator.
 */
export const defused = (cell: string): string => (FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell);

/** The text of a cell that `defused` has made. */
export const fused = (cell: string): string => (DEFUSED.test(cell) ? cell.slice(1) : cell);

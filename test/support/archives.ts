import { deflateRawSync } from "node:zlib";

/** A ZIP archive of these files, deflated. The checksums are missing: what reads text does not look at them. */
export function zipOf(files: Record<string, string | Buffer>): Buffer {
  const [bodies, entries]: Buffer[][] = [[], []];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(Buffer.byteLength(content), 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(Buffer.byteLength(content), 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    bodies!.push(local, Buffer.from(name), packed);
    entries!.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(entries!);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries!.length / 2, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies!, list, end]);
}

const STYLES = `<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>`;
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (text: string, properties = ""): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${run(text)}</w:p>`;

/** A Word document as Word in German writes it. Lines with `# ` and `## ` are headings, those with `- ` items of a list. */
export function docxOf(lines: readonly string[]): Buffer {
  const body = lines.map((line) => {
    const level = /^#+/.exec(line)?.[0].length;
    if (level) return paragraph(line.slice(level + 1), `<w:pStyle w:val="berschrift${level}"/>`);
    return line.startsWith("- ")
      ? paragraph(line.slice(2), `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>`)
      : paragraph(line);
  });
  return zipOf({
    "word/document.xml": `<?xml version="1.0"?><w:document><w:body>${body.join("")}</w:body></w:document>`,
    "word/styles.xml": STYLES,
  });
}

/** A PDF of one page: lines from above, each with its size. */
export function pdfOf(lines: readonly { text: string; size: number }[]): Buffer {
  let y = 800;
  const shown = lines.map(({ text, size }) => {
    y -= size * 1.3;
    return `BT /F1 ${size} Tf 50 ${y.toFixed(1)} Td (${text.replace(/[\\()]/g, "\\$&")}) Tj ET`;
  });
  const stream = shown.join("\n");
  return Buffer.from(
    `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 850]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`,
    "latin1",
  );
}

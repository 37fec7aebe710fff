import { UnsupportedMediaTypeException } from "@nestjs/common";
import { fileTypeFromBuffer } from "file-type";
import { extensionOf } from "./file-name.js";

/** Types that an operating system runs or installs. */
const EXECUTABLE = new Set([
  "application/x-msdownload",
  "application/x-elf",
  "application/x-mach-binary",
  "application/java-vm",
  "application/java-archive",
  "application/wasm",
  "application/x-apple-diskimage",
  "application/x-rpm",
  "application/x-deb",
  "application/vnd.android.package-archive",
  "application/x-google-chrome-extension",
  "application/x-shockwave-flash",
  "application/x.ms.shortcut",
  "application/x.apple.alias",
]);
/** Extensions of files that run on a double click, whatever their bytes. */
const EXECUTABLE_EXTENSION = new Set(
  (
    "action apk app appimage appx appxbundle bat cab chm cmd com command cpl deb dll dmg exe gadget hta inf ins iso jar js jse jsp lib lnk mde msc msi msix " +
    "msixbundle msp mst ocx pif pkg ps1 ps1xml psc1 psd1 psm1 reg rpm run scf scpt scr sct sh shb so sys terminal url vb vbe vbs vhd vhdx vxd wasm workflow ws wsc wsf wsh xll"
  ).split(" "),
);

/** Container formats of many other types. For these, the declared type is accepted. */
const CONTAINS: Record<string, RegExp> = {
  "application/zip": /^application\/(epub\+zip|vnd\.(oasis|openxmlformats|apple|ms-)[\w.+-]*)$/,
  "application/x-cfb": /^application\/(msword|vnd\.(ms-|visio)[\w.+-]*)$/,
  "application/xml": /^(application|image|text)\/([\w.+-]+\+)?xml$|^text\/html$/,
};
/** Types that text may have. */
const TEXTUAL =
  /^text\/[\w.+-]+$|^application\/(json|xml|yaml|x-yaml|x-ndjson|toml|sql|rtf|pgp-signature|pgp-keys|pkcs7-signature|x-x509-ca-cert|x-pem-file|x-subrip|[\w.+-]+\+(json|xml|yaml))$|^image\/svg\+xml$|^message\/rfc822$/;
const CONTROLS = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/**
 * The content type of a file, from its bytes. The declared type only counts among types that the bytes do not
 * distinguish.
 * @throws UnsupportedMediaTypeException for executable files
 */
export async function contentTypeOf(head: Buffer, declared: string, name: string): Promise<string> {
  const found = (await fileTypeFromBuffer(head))?.mime;
  if (
    EXECUTABLE.has(found ?? "") ||
    head.subarray(0, 2).toString("latin1") === "#!" ||
    EXECUTABLE_EXTENSION.has(extensionOf(name).toLowerCase())
  ) {
    throw new UnsupportedMediaTypeException("Executable files are not accepted");
  }
  const wanted = declared.split(";", 1)[0]!.trim().toLowerCase();
  if (found) return CONTAINS[found]?.test(wanted) ? wanted : found;
  if (CONTROLS.test(head.toString("latin1"))) return "application/octet-stream";
  return TEXTUAL.test(wanted) ? wanted : "text/plain";
}

import type { ReactNode } from "react";

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/g;
/** What ends a sentence, or closes a bracket around it, is not part of an address. */
const TRAILING = /[.,;:!?)\]]$/;

/** A text in which addresses of pages are links. */
export function linked(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    let address = match;
    while (TRAILING.test(address)) address = address.slice(0, -1);
    parts.push(text.slice(end, index), <ExternalLink key={index} to={address} text={address} />);
    end = index + address.length;
  }
  return [...parts, text.slice(end)];
}

/** A link out of the dashboard. The page there learns nothing of where it came from. */
export const ExternalLink = ({ to, text }: { to: string; text: ReactNode }): ReactNode => (
  <a href={to} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline break-all">
    {text}
  </a>
);

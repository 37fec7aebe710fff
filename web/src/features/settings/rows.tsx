import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../ui/button.js";

let keys = 0;

/** A list of small forms, such as the conditions of a step: one is added at the end, and each can be removed. */
export function Rows<Item>({
  label,
  hint,
  items,
  fresh,
  add,
  remove,
  onChange,
  children,
}: {
  label: string;
  hint?: string;
  items: readonly Item[];
  /** What a new one begins with. */
  fresh: () => Item;
  add: string;
  /** What the button of each row is called. */
  remove: (place: number) => string;
  onChange: (items: Item[]) => void;
  children: (item: Item, edit: (item: Item) => void, place: number) => ReactNode;
}): ReactNode {
  // Each row keeps what is typed in it when one before it is removed.
  const [rows, setRows] = useState(() => items.map(() => ++keys));
  const group = useRef<HTMLFieldSetElement>(null);
  const focus = useRef<"last" | "add">(undefined);
  useLayoutEffect(() => {
    if (!focus.current) return;
    const target =
      focus.current === "add"
        ? group.current?.querySelector<HTMLElement>(":scope > [data-add]")
        : group.current?.querySelector<HTMLElement>(":scope > ol > li:last-child :is(input, select)");
    focus.current = undefined;
    target?.focus();
  });
  return (
    <fieldset ref={group} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{label}</legend>
      {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
      {items.length > 0 && (
        <ol className="flex flex-col gap-2">
          {items.map((item, n) => (
            <li key={rows[n]} className="flex items-start gap-2 rounded-md border border-line p-2">
              <div className="min-w-0 flex-1">
                {children(item, (next) => onChange(items.map((one, i) => (i === n ? next : one))), n + 1)}
              </div>
              <IconButton
                label={remove(n + 1)}
                onClick={() => {
                  focus.current = "add";
                  setRows(rows.filter((_, i) => i !== n));
                  onChange(items.filter((_, i) => i !== n));
                }}
              >
                <X size={16} />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      <Button
        small
        data-add
        className="self-start"
        onClick={() => {
          focus.current = "last";
          setRows([...rows, ++keys]);
          onChange([...items, fresh()]);
        }}
      >
        {add}
      </Button>
    </fieldset>
  );
}

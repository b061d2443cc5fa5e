// A key as it is printed on a keyboard.
import { classNames } from "../components/class-names.ts";
import { printedKeys } from "./keys.ts";

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** @param isHint beside a control whose `aria-keyshortcuts` says the same */
export const KeyCap = ({
  of: key,
  isHint = false,
  className,
}: {
  of: string;
  isHint?: boolean;
  className?: string;
}) => (
  <span aria-hidden={isHint || undefined} className={classNames("inline-flex gap-0.5", className)}>
    {printedKeys(key, isMac).map((name) => (
      <kbd
        key={name}
        className="border-line bg-sunken text-quiet grid min-w-5 place-items-center rounded border px-1 font-sans text-[0.6875rem] leading-[1.125rem]"
      >
        {name}
      </kbd>
    ))}
  </span>
);

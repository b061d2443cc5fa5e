// A button with a menu. Arrow keys, Escape and typing work as in native menus.
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Link } from "wouter";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Icon } from "./icons.tsx";

export interface MenuItem {
  readonly label: string;
  readonly onSelect?: () => void;
  /** A page of the console to open instead. */
  readonly href?: string;
  readonly tone?: "danger";
  readonly isDisabled?: boolean;
}

export const menuItemClass =
  "flex min-h-11 w-full items-center gap-2.5 rounded px-2.5 text-left outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50 sm:min-h-8";

/** `<Menu label="Actions for Build server" items={[…]} />` shows three dots. */
export function Menu({
  label,
  items,
}: {
  /** The accessible name of the button. */
  label: string;
  items: readonly (MenuItem | "separator")[];
}) {
  // Runs after the menu is gone and its button has the focus, so that a dialog opened by it returns the focus to the button.
  const selected = useRef<(() => void) | undefined>(undefined);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label={label}>
          <Icon name="more" />
        </IconButton>
      </DropdownMenu.Trigger>
      <MenuPanel
        onClosed={() => {
          selected.current?.();
          selected.current = undefined;
        }}
      >
        {items.map((item, index) =>
          item === "separator" ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: separators have no id
            <MenuSeparator key={`separator ${index}`} />
          ) : (
            <Item
              key={item.label}
              {...item}
              onSelect={() => {
                selected.current = item.onSelect;
              }}
            />
          ),
        )}
      </MenuPanel>
    </DropdownMenu.Root>
  );
}

/** The content of a menu. It is rendered next to its button, where screen readers find it, and does not block the page behind it. */
export const MenuPanel = ({
  align = "end",
  onClosed,
  className,
  children,
}: {
  align?: "start" | "end";
  onClosed?: () => void;
  className?: string;
  children: ReactNode;
}) => (
  <DropdownMenu.Content
    align={align}
    sideOffset={6}
    collisionPadding={8}
    // The focus moves right after this event.
    onCloseAutoFocus={() => setTimeout(() => onClosed?.())}
    className={classNames(
      "bg-surface text-text border-line shadow-high animate-appear z-50 min-w-48 rounded-lg border p-1 text-left text-sm font-normal whitespace-normal",
      className,
    )}
  >
    {children}
  </DropdownMenu.Content>
);

export const MenuSeparator = () => <DropdownMenu.Separator className="bg-line mx-1 my-1 h-px" />;

function Item({ label, onSelect, href, tone, isDisabled = false }: MenuItem) {
  const className = classNames(menuItemClass, tone === "danger" && "text-danger");
  return href === undefined ? (
    <DropdownMenu.Item className={className} disabled={isDisabled} onSelect={() => onSelect?.()}>
      {label}
    </DropdownMenu.Item>
  ) : (
    <DropdownMenu.Item className={className} disabled={isDisabled} asChild>
      <Link href={href}>{label}</Link>
    </DropdownMenu.Item>
  );
}

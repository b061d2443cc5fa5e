// A button with a menu. Arrow keys, Escape and typing work as in native menus.
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Link } from "wouter";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icons.tsx";

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

interface MenuProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly items: readonly (MenuItem | "separator")[];
  readonly icon?: IconName;
  readonly align?: "start" | "end";
  /** Where something else opens the menu too. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  /** Called before what was chosen begins, such as to move the focus from the button. */
  readonly onClosed?: () => void;
  /** Inside of something that cuts off what reaches over its edges: rendered at the end of the page. */
  readonly isPortaled?: boolean;
  /** Of the button. */
  readonly className?: string;
  readonly tabIndex?: number;
}

/** `<Menu label="Actions for Build server" items={[…]} />` shows three dots. */
export function Menu({
  label,
  items,
  icon = "more",
  align,
  isOpen,
  onOpenChange,
  onClosed,
  isPortaled = false,
  className,
  tabIndex,
}: MenuProps) {
  // Runs after the menu is gone and its button has the focus, so that a dialog opened by it returns the focus to the button.
  const selected = useRef<(() => void) | undefined>(undefined);
  return (
    <DropdownMenu.Root
      modal={false}
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>
        <IconButton label={label} {...(className !== undefined && { className })} tabIndex={tabIndex}>
          <Icon name={icon} />
        </IconButton>
      </DropdownMenu.Trigger>
      <MenuPanel
        {...(align && { align })}
        isPortaled={isPortaled}
        onClosed={() => {
          onClosed?.();
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
  isPortaled = false,
  onClosed,
  className,
  children,
}: {
  align?: "start" | "end";
  isPortaled?: boolean;
  onClosed?: () => void;
  className?: string;
  children: ReactNode;
}) => {
  const content = (
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
  return isPortaled ? <DropdownMenu.Portal>{content}</DropdownMenu.Portal> : content;
};

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

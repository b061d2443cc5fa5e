// The menu of the signed-in person: account, theme, sign-out.
import { useQueryClient } from "@tanstack/react-query";
import { DropdownMenu } from "radix-ui";
import { useRef, useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { callAuth } from "./call.ts";
import { ConfirmDialog } from "./components/dialog.tsx";
import { Icon } from "./components/icons.tsx";
import { MenuPanel, MenuSeparator, menuItemClass } from "./components/menu.tsx";
import { toast } from "./components/toast.tsx";
import { help } from "./help.ts";
import { hasDrafts, removeDrafts } from "./library/editor/drafts.ts";
import { KeyCap } from "./library/key-cap.tsx";
import { showKeys } from "./library/open-keys.tsx";
import { setTheme, type Theme, themes, useTheme } from "./theme.ts";
import { usePerson } from "./workspace.tsx";

const themeNames: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };
const metaContent = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
/** Addresses that the service writes into the page. */
const [reference, licenses] = [metaContent("reference"), metaContent("licenses")];

/** Up to two letters. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== "")
    .filter((_, index, words) => index === 0 || index === words.length - 1)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");

export function PersonMenu({ isCompact = false }: { isCompact?: boolean }) {
  const { name, email } = usePerson();
  const theme = useTheme();
  const [, navigate] = useLocation();
  const [isLibrary] = useRoute("/w/:workspaceId/library");
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const chosen = useRef<() => void>(undefined);
  const signOut = async () => {
    try {
      await callAuth("POST", "/sign-out");
      removeDrafts();
      queryClient.clear();
      navigate("/sign-in");
    } catch {
      toast("Couldn’t sign out. Try again.", "danger");
    }
  };
  const leave = () => (hasDrafts() ? setIsAsking(true) : void signOut());
  const avatar = (
    <span
      aria-hidden="true"
      className="bg-accent-soft text-accent grid size-8 shrink-0 place-items-center rounded-full text-xs font-semibold"
    >
      {initialsOf(name)}
    </span>
  );
  return (
    <DropdownMenu.Root modal={false}>
      {isCompact ? (
        <DropdownMenu.Trigger className="hover:bg-hover grid size-11 place-items-center rounded-md">
          <span className="sr-only">Account menu: {name}</span>
          {avatar}
        </DropdownMenu.Trigger>
      ) : (
        <DropdownMenu.Trigger className="hover:bg-hover flex w-full items-center gap-2.5 rounded-md p-2 text-left rail:justify-center rail:px-0">
          {avatar}
          <span className="grid min-w-0 flex-1 rail:sr-only">
            <span className="sr-only">Account menu: </span>
            <span className="truncate font-medium" title={name}>
              {name}
            </span>
            <span className="text-quiet truncate text-xs" title={email}>
              {email}
            </span>
          </span>
          <Icon name="sort" className="text-quiet size-4 rail:hidden" />
        </DropdownMenu.Trigger>
      )}
      <MenuPanel
        align={isCompact ? "end" : "start"}
        className="w-60"
        // A dialog returns the focus to the menu's button, which has it by now.
        onClosed={() => {
          chosen.current?.();
          chosen.current = undefined;
        }}
      >
        <DropdownMenu.Item asChild className={menuItemClass}>
          <Link href="/account">Account</Link>
        </DropdownMenu.Item>
        {!isCompact && (
          <DropdownMenu.Item
            className={`${menuItemClass} justify-between`}
            onSelect={() => {
              chosen.current = showKeys;
            }}
          >
            Keyboard shortcuts
            <KeyCap of="?" isHint />
          </DropdownMenu.Item>
        )}
        <DropdownMenu.Item asChild className={menuItemClass}>
          <a href={`/docs/${isLibrary ? help.library : ""}`} target="_blank" rel="noreferrer">
            Help
          </a>
        </DropdownMenu.Item>
        <DropdownMenu.Item asChild className={menuItemClass}>
          <a href={reference} target="_blank" rel="noreferrer">
            API reference
          </a>
        </DropdownMenu.Item>
        {licenses && (
          <DropdownMenu.Item asChild className={menuItemClass}>
            <a href={licenses} target="_blank" rel="noreferrer">
              Open-source licenses
            </a>
          </DropdownMenu.Item>
        )}
        <MenuSeparator />
        <DropdownMenu.Label className="text-quiet px-2.5 pt-1 pb-0.5 text-xs font-medium">Theme</DropdownMenu.Label>
        <DropdownMenu.RadioGroup
          value={theme}
          onValueChange={(value) => {
            const selected = themes.find((candidate) => candidate === value);
            if (selected) setTheme(selected);
          }}
        >
          {themes.map((candidate) => (
            <DropdownMenu.RadioItem
              key={candidate}
              value={candidate}
              // Keeps the menu open, so that the person can try another theme.
              onSelect={(event) => event.preventDefault()}
              className={`${menuItemClass} justify-between`}
            >
              {themeNames[candidate]}
              <DropdownMenu.ItemIndicator>
                <Icon name="check" className="text-accent size-4" />
              </DropdownMenu.ItemIndicator>
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
        <MenuSeparator />
        <DropdownMenu.Item
          className={menuItemClass}
          onSelect={() => {
            chosen.current = leave;
          }}
        >
          Sign out
        </DropdownMenu.Item>
      </MenuPanel>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Sign out and discard unsaved changes?"
        confirmLabel="Sign out"
        onConfirm={() => {
          setIsAsking(false);
          void signOut();
        }}
      >
        <p>Unsaved changes to snippets are kept in this browser only while you’re signed in.</p>
      </ConfirmDialog>
    </DropdownMenu.Root>
  );
}

// Everything that pages are made of.
export { Button, ButtonLink, buttonClass, IconButton } from "./button.tsx";
export { classNames } from "./class-names.ts";
export { CodeBlock, CopyButton, saveText } from "./copy.tsx";
export { type Column, DataTable, useIsPhone } from "./data-table.tsx";
export { ConfirmDialog, Dialog, DialogActions, FormDialog } from "./dialog.tsx";
export {
  Checkbox,
  Choices,
  FormError,
  NameField,
  PasswordField,
  Select,
  SelectField,
  TextareaField,
  TextField,
} from "./field.tsx";
export { count, day, fromNow, mean, moment, month, percent, plural, quoted, roughly, usd } from "./format.ts";
export { Icon, type IconName } from "./icons.tsx";
export { Badge, Card, Facts, Figure, Notice, PageHeader, type Tone, useTitle } from "./layout.tsx";
export { Menu, type MenuItem } from "./menu.tsx";
export { Pager } from "./pager.tsx";
export { hasNothing, SearchBar, SearchedList, SearchField, useSearch } from "./search.tsx";
export { Segments } from "./segments.tsx";
export { EmptyState, ErrorState, Loaded, Loading, Skeleton } from "./states.tsx";
export { Time } from "./time.tsx";
export { toast } from "./toast.tsx";

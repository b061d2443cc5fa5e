// Everything that pages are made of.
export { Button, ButtonLink, buttonClass, IconButton, Spinner } from "./button.tsx";
export { classNames } from "./class-names.ts";
export { CodeBlock, CopyButton, saveText } from "./copy.tsx";
export { type Column, DataTable, useIsPhone } from "./data-table.tsx";
export { ConfirmDialog, Dialog, DialogActions } from "./dialog.tsx";
export {
  Checkbox,
  Choices,
  Field,
  FormError,
  Input,
  PasswordField,
  Select,
  SelectField,
  TextareaField,
  TextField,
} from "./field.tsx";
export { count, day, fromNow, moment, month, percent, plural, roughly, usd } from "./format.ts";
export { Icon, type IconName } from "./icons.tsx";
export { Badge, Card, Facts, Figure, Notice, PageHeader, type Tone, useTitle } from "./layout.tsx";
export { Menu, type MenuItem } from "./menu.tsx";
export { Pager } from "./pager.tsx";
export { EmptyState, ErrorState, Loaded, Loading, Skeleton } from "./states.tsx";
export { Segments, Tabs } from "./tabs.tsx";
export { Time } from "./time.tsx";
export { toast, useToast } from "./toast.tsx";

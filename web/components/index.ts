// All components and formatters that pages use.
export { Button, ButtonLink, buttonClass, CreateButton, IconButton } from "./button.tsx";
export { classNames } from "./class-names.ts";
export { CodeBlock, CopyButton, downloadText } from "./copy.tsx";
export { type Column, DataTable, useIsPhone } from "./data-table.tsx";
export { ConfirmDialog, Dialog, DialogActions, FormDialog } from "./dialog.tsx";
export {
  Checkbox,
  FormError,
  NameField,
  PasswordField,
  RadioGroup,
  Select,
  SelectField,
  TextareaField,
  TextField,
} from "./field.tsx";
export { Form } from "./form.tsx";
export {
  formatCompact,
  formatCount,
  formatDay,
  formatMean,
  formatMebibytes,
  formatMoment,
  formatMonth,
  formatPercent,
  formatRecent,
  formatRelative,
  formatUntil,
  formatUsd,
  pluralize,
  quote,
} from "./format.ts";
export { Icon, type IconName } from "./icons.tsx";
export { Badge, Card, DescriptionList, Notice, PageHeader, Stat, type Tone, useTitle } from "./layout.tsx";
export { Menu, type MenuItem } from "./menu.tsx";
export { Pager } from "./pager.tsx";
export { hasNoRows, SearchableList, SearchBar, SearchField, useSearch } from "./searchable-list.tsx";
export { SecretDialog } from "./secret-dialog.tsx";
export { SegmentedControl } from "./segmented-control.tsx";
export { ShareBar } from "./share-bar.tsx";
export { EmptyState, ErrorState, Loaded, Loading, Skeleton } from "./states.tsx";
export { Time } from "./time.tsx";
export { toast, toastError } from "./toast.tsx";

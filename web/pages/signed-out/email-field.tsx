// The field for the address of an account.
import { TextField } from "../../components/index.ts";
import { limits } from "../../limits.ts";

export const EmailField = ({
  value,
  onChange,
  isReadOnly = false,
  hasFocus = false,
}: {
  value: string;
  onChange: (value: string) => void;
  isReadOnly?: boolean;
  /** Takes the focus when it appears. */
  hasFocus?: boolean;
}) => (
  <TextField
    autoFocus={hasFocus}
    label="Email address"
    type="email"
    autoComplete="username"
    required
    readOnly={isReadOnly}
    maxLength={limits.emailLengthMax}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

// What is paid for, and who is billed.
import type { ColumnTypes } from "../../migration.ts";

export const billing = ({ uuid, timestamp, bigint, tableEnd, clusteredTableEnd }: ColumnTypes): string[] => [
  // One row for each amount due. The reference is the provider's checkout id, or one that the operator records.
  `create table payments (
    workspace_id ${uuid} not null references workspaces (id),
    id ${uuid} not null,
    provider text not null,
    reference text,
    purpose text not null,
    subject text not null,
    amount_cents ${bigint} not null check (amount_cents >= 0),
    status text not null,
    requested_by ${uuid},
    created_at ${timestamp} not null,
    settled_at ${timestamp},
    primary key (workspace_id, id)
  ) ${tableEnd}`,
  // One transfer may pay several rows; a checkout at a provider pays one.
  "create unique index payments_of_checkout on payments (provider, reference) where provider <> 'manual'",
  "create index payments_by_time on payments (workspace_id, created_at, id)",
  "create unique index payments_of_invoice on payments (workspace_id, subject) where purpose = 'invoice' and status <> 'failed'",
  // The provider's own event ids, and the references that operators recorded: the same report twice is one.
  `create table payment_events (
    provider text not null,
    event_id text not null,
    received_at ${timestamp} not null,
    primary key (provider, event_id)
  ) ${clusteredTableEnd}`,

  // Whom a workspace's invoices are billed to, if that was ever set. address is JSON, line by line.
  `create table billing_details (
    workspace_id ${uuid} primary key references workspaces (id),
    name text not null,
    address text not null,
    tax_id text,
    updated_at ${timestamp} not null
  ) ${tableEnd}`,
  // What an invoice says besides its amounts, from when it was issued, and never changed afterwards. seller, billed_to, and tax are JSON. The
  // numbers of a prefix have no gaps: each is taken in the transaction that issues its invoice.
  `create table invoices (
    workspace_id ${uuid} not null references workspaces (id),
    month text not null,
    number_prefix text not null,
    number ${bigint} not null check (number > 0),
    seller text not null,
    billed_to text not null,
    tax text,
    issued_at ${timestamp} not null,
    primary key (workspace_id, month)
  ) ${clusteredTableEnd}`,
  "create unique index invoices_by_number on invoices (number_prefix, number)",
  `create table invoice_numbers (
    number_prefix text primary key,
    newest ${bigint} not null check (newest >= 0)
  ) ${clusteredTableEnd}`,
];

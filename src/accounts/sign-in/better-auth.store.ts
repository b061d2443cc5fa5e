// The storage of Better Auth on our own database: both engines, our schema, group commit, retried transactions. Each statement is a
// transaction of its own, unless Better Auth asks for a longer one.
import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthOptions } from "better-auth";
import { type AdapterFactory, type CleanedWhere, createAdapterFactory } from "better-auth/adapters";
import { APIError } from "better-auth/api";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { assignments, join, list, name, type Sql, sql, type Value } from "../../platform/database/sql.ts";
import { addMilliseconds } from "../../platform/time.ts";
import { findPerson } from "../people/people.store.ts";
import { type AuditContext, linkIdentity, recorderFor } from "./account-audit.ts";
import { hashSessionToken } from "./session-token.ts";

/** Better Auth's names for its models, and our tables. */
const tables: Readonly<Record<string, string>> = {
  user: "people",
  account: "person_credentials",
  session: "person_sessions",
  passkey: "person_passkeys",
  twoFactor: "person_second_factors",
  verification: "person_verifications",
};

/** The transaction that Better Auth works in. Work that was started in it may outlive it and still see it, so it says when it has ended. */
interface OpenTransaction {
  readonly transaction: Transaction;
  hasEnded: boolean;
}
const openTransaction = new AsyncLocalStorage<OpenTransaction>();

/** @param currentCall the call that Better Auth is carrying out */
export function betterAuthStorage(database: Database, currentCall: () => AuditContext | undefined = () => undefined) {
  const current = (): Transaction | undefined => {
    const store = openTransaction.getStore();
    return store && !store.hasEnded ? store.transaction : undefined;
  };
  const write = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const transaction = current();
    return transaction ? work(transaction) : database.transaction(work);
  };
  const read = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const transaction = current();
    return transaction ? work(transaction) : database.read(work);
  };
  const make = (): AdapterFactory<BetterAuthOptions> =>
    createAdapterFactory({
      config: {
        adapterId: "commonplace",
        // Moments are ISO 8601 text on both engines.
        supportsDates: false,
        supportsJSON: false,
        supportsArrays: false,
        supportsBooleans: true,
        // `create` makes the ids.
        disableIdGeneration: true,
        // SQLite has no boolean.
        customTransformOutput: ({ data, fieldAttributes }) =>
          fieldAttributes.type === "boolean" && data !== null && data !== undefined ? Boolean(data) : data,
        // What Better Auth does in `work` finds the transaction by itself. `work` may run again, as Better Auth expects.
        transaction: (work) => {
          if (current()) return work(make()(lastOptions));
          // The transactions of a group commit all run in the context of the call that began the group. Better Auth looks up its
          // own call in the context, so it must run in its own.
          const inContext = AsyncLocalStorage.snapshot();
          return database.transaction(async (transaction) => {
            const store: OpenTransaction = { transaction, hasEnded: false };
            try {
              return await inContext(() => openTransaction.run(store, () => work(make()(lastOptions))));
            } finally {
              store.hasEnded = true;
            }
          });
        },
      },
      adapter: () => ({
        create: ({ model, data }) => {
          // Looked up here, because the transaction may run in the context of another call.
          const call = currentCall();
          const record = recorderFor(call, model);
          return write(async (transaction) => {
            const row: Row = { id: transaction.newId(), ...toRow(data, transaction) };
            // However the person showed who they are. Only they are told, because others do not come this far.
            const person = model === "session" ? await findPerson(transaction, String(row.person_id)) : undefined;
            if (person?.disabled_at)
              throw new APIError("FORBIDDEN", {
                code: "ACCOUNT_DISABLED",
                message: consoleErrors.accountDisabled().message,
              });
            if (person) await call?.onSession(transaction, person);
            transaction.insert(tableOf(model), [
              model === "session" ? { ...row, token: hashSessionToken(String(row.token)) } : row,
            ]);
            if (model === "account" && row.provider_id !== "credential")
              await linkIdentity(transaction, String(row.person_id), call?.clientAddress ?? null);
            await record?.(transaction, row);
            // The token itself goes into the cookie. The stored hash cannot be turned back into it.
            return fromRow(row, transaction) as never;
          });
        },
        findOne: ({ model, where }) =>
          read(async (transaction) => {
            const row = await transaction.first<Row>(
              sql`select * from ${name(tableOf(model))} ${whereOf(where, transaction)} limit 1`,
            );
            // Only Better Auth knows the shape of its model.
            return row ? (withRequestedToken(fromRow(row, transaction), where) as never) : null;
          }),
        findMany: ({ model, where, limit, sortBy, offset }) =>
          read(async (transaction) => {
            const order = sortBy
              ? sql`order by ${name(snake(sortBy.field))} ${name(sortBy.direction === "desc" ? "desc" : "asc")}`
              : name("");
            const rows = await transaction.all<Row>(
              sql`select * from ${name(tableOf(model))} ${whereOf(where, transaction)} ${order} limit ${limit} offset ${offset ?? 0}`,
            );
            return rows.map((row) => fromRow(row, transaction)) as never[];
          }),
        count: ({ model, where }) =>
          read(async (transaction) => {
            const row = await transaction.first<{ rows: number }>(
              sql`select count(*) as rows from ${name(tableOf(model))} ${whereOf(where, transaction)}`,
            );
            return row?.rows ?? 0;
          }),
        update: ({ model, where, update }) => {
          const record = recorderFor(currentCall(), model);
          return write(async (transaction) => {
            const row = await transaction.first<Row>(
              sql`update ${name(tableOf(model))} set ${assignments(toRow(update as Row, transaction))} ${oneOf(model, where, transaction)} returning *`,
            );
            if (row) await record?.(transaction, row);
            return row ? (withRequestedToken(fromRow(row, transaction), where) as never) : null;
          });
        },
        updateMany: ({ model, where, update }) => {
          const record = recorderFor(currentCall(), model);
          return write(async (transaction) => {
            const rows = await transaction.all<Row>(
              sql`update ${name(tableOf(model))} set ${assignments(toRow(update, transaction))} ${whereOf(where, transaction)} returning *`,
            );
            for (const row of rows) await record?.(transaction, row);
            return rows.length;
          });
        },
        delete: async ({ model, where }) => {
          const record = recorderFor(currentCall(), model);
          await write(async (transaction) => {
            const row = await transaction.first<Row>(
              sql`delete from ${name(tableOf(model))} ${oneOf(model, where, transaction)} returning *`,
            );
            if (row) await record?.(transaction, row);
          });
        },
        deleteMany: ({ model, where }) =>
          write((transaction) =>
            transaction.run(sql`delete from ${name(tableOf(model))} ${whereOf(where, transaction)}`),
          ),
        consumeOne: ({ model, where }) =>
          write(async (transaction) => {
            const row = await transaction.first<Row>(
              sql`delete from ${name(tableOf(model))} ${oneOf(model, where, transaction)} returning *`,
            );
            return row ? (withRequestedToken(fromRow(row, transaction), where) as never) : null;
          }),
        incrementOne: ({ model, where, increment, set }) =>
          write(async (transaction) => {
            const parts = Object.entries(increment).map(
              ([field, by]) => sql`${name(snake(field))} = ${name(snake(field))} + ${by}`,
            );
            if (set && Object.keys(set).length > 0) parts.push(assignments(toRow(set as Row, transaction)));
            const row = await transaction.first<Row>(
              sql`update ${name(tableOf(model))} set ${join(parts, ", ")} ${oneOf(model, where, transaction)} returning *`,
            );
            return row ? (withRequestedToken(fromRow(row, transaction), where) as never) : null;
          }),
      }),
    });
  let lastOptions: BetterAuthOptions = {};
  return (options: BetterAuthOptions) => {
    lastOptions = options;
    return make()(options);
  };
}

type Row = Record<string, Value>;

function tableOf(model: string): string {
  const table = tables[model];
  if (table === undefined) throw new Error(`the sign-in library asks for the model ${model}, which has no table`);
  return table;
}

const fieldToColumn: Readonly<Record<string, string>> = { userId: "person_id", credentialID: "credential_id" };
const columnToField: Readonly<Record<string, string>> = { person_id: "userId", credential_id: "credentialID" };
const snake = (field: string): string =>
  fieldToColumn[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (column: string): string =>
  columnToField[column] ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Fields for calls to the OpenID provider, which we do not make. They are not stored. */
const droppedFields = new Set([
  "accessToken",
  "refreshToken",
  "idToken",
  "accessTokenExpiresAt",
  "refreshTokenExpiresAt",
  "scope",
]);

/** Better Auth writes the token of a found session into the cookie again, so it must be the token that it asked for, not the hash. */
function withRequestedToken(row: Record<string, Value>, where: readonly CleanedWhere[]): Record<string, Value> {
  const requested = where.find((clause) => clause.field === "token" && clause.operator === "eq")?.value;
  return typeof requested === "string" ? { ...row, token: requested } : row;
}

const toRow = (data: Record<string, unknown>, { now }: Transaction): Row =>
  Object.fromEntries(
    Object.entries(data).flatMap(([field, value]) =>
      droppedFields.has(field) ? [] : [[snake(field), toDatabaseTime(field, value as Value, now)]],
    ),
  );
const fromRow = (row: Row, { now }: Transaction): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [camel(column), fromDatabaseTime(camel(column), value, now)]),
  );

/**
 * Better Auth reads the clock of this process; rows hold the time of the database. The two clocks may differ, so each moment is shifted
 * by their present difference.
 */
const isMoment = (field: string): boolean => /(At|Until)$/.test(field);
const shift = (field: string, value: Value, milliseconds: number): Value =>
  typeof value === "string" && isMoment(field) ? addMilliseconds(value, milliseconds) : value;
const toDatabaseTime = (field: string, value: Value, now: string): Value =>
  shift(field, value, Date.parse(now) - Date.now());
const fromDatabaseTime = (field: string, value: Value, now: string): Value =>
  shift(field, value, Date.now() - Date.parse(now));

/**
 * Better Auth means at most one row. The conditions are repeated outside the subquery: PostgreSQL checks those again for a row that it
 * waited for, but not those inside.
 */
function oneOf(model: string, where: readonly CleanedWhere[], transaction: Transaction): Sql {
  const conditions = whereOf(where, transaction);
  if (conditions.values.length === 0 && where.length === 0) return name("where 1 = 0");
  return sql`${conditions} and id = (select id from ${name(tableOf(model))} ${conditions} limit 1)`;
}

function whereOf(where: readonly CleanedWhere[] | undefined, { now }: Transaction): Sql {
  if (!where || where.length === 0) return name("");
  const conditionsOf = (connector: "AND" | "OR") =>
    where.filter((clause) => clause.connector === connector).map((clause) => conditionOf(clause, now));
  const [all, any] = [conditionsOf("AND"), conditionsOf("OR")];
  const parts = [...all, ...(any.length > 0 ? [sql`(${join(any, " or ")})`] : [])];
  return sql`where ${join(parts, " and ")}`;
}

function conditionOf({ field, operator, value, mode }: CleanedWhere, now: string): Sql {
  const isFolded = mode === "insensitive" && (typeof value === "string" || Array.isArray(value));
  const column = isFolded ? name(`lower(${snake(field)})`) : name(snake(field));
  // Only sessions have this column.
  const fold = (one: Value): Value =>
    field === "token" ? hashSessionToken(String(one)) : isFolded && typeof one === "string" ? one.toLowerCase() : one;
  if (Array.isArray(value)) {
    if (value.length === 0) return name(operator === "not_in" ? "1 = 1" : "1 = 0");
    const values = list(value.map(fold));
    return operator === "not_in" ? sql`${column} not in ${values}` : sql`${column} in ${values}`;
  }
  const one = toDatabaseTime(field, fold(value instanceof Date ? value.toISOString() : value), now);
  if (one === null) return operator === "ne" ? sql`${column} is not null` : sql`${column} is null`;
  switch (operator) {
    case "eq":
      return sql`${column} = ${one}`;
    case "ne":
      return sql`${column} <> ${one}`;
    case "lt":
      return sql`${column} < ${one}`;
    case "lte":
      return sql`${column} <= ${one}`;
    case "gt":
      return sql`${column} > ${one}`;
    case "gte":
      return sql`${column} >= ${one}`;
    default:
      // Only Better Auth's administration searches in texts, and we do not use it.
      throw new Error(`the sign-in library uses the operator ${operator}, which is not supported`);
  }
}

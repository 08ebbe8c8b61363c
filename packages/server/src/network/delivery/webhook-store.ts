import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { DeliveryTables } from '../tables.ts';

type Db = Kysely<DeliveryTables>;

export type WebhookRow = Selectable<DeliveryTables['net_webhook']>;
export type EventRow = Selectable<DeliveryTables['net_webhook_event']>;
export type LogRow = Selectable<DeliveryTables['net_webhook_log']>;

const selectEnabled = prepared((db: Db, { account }: { account: string }) =>
  db
    .selectFrom('net_webhook')
    .select('account')
    .where('account', '=', account)
    .where('disabled_at', 'is', null),
);

/** Whether an account has a webhook that is called. */
export async function isEnabled(db: Db, account: string): Promise<boolean> {
  return (await selectEnabled(db, { account })).length > 0;
}

/** The webhook of an account. */
export function findWebhook(db: Db, account: string): Promise<WebhookRow | undefined> {
  return db.selectFrom('net_webhook').selectAll().where('account', '=', account).executeTakeFirst();
}

/** Puts a webhook in place of the one that the account has; the log of that one is gone. */
export async function putWebhook(
  db: Db,
  webhook: Insertable<DeliveryTables['net_webhook']>,
): Promise<WebhookRow> {
  const { account, ...values } = webhook;
  await deleteLog(db, account);
  return db
    .insertInto('net_webhook')
    .values(webhook)
    .onConflict((conflict) => conflict.column('account').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateWebhook(
  db: Db,
  account: string,
  changes: Updateable<DeliveryTables['net_webhook']>,
): Promise<void> {
  await db.updateTable('net_webhook').set(changes).where('account', '=', account).execute();
}

/** Removes a webhook with all that is owed to it. */
export async function deleteWebhook(db: Db, account: string): Promise<void> {
  await deleteLog(db, account);
  await deleteEvents(db, account);
  await db.deleteFrom('net_webhook').where('account', '=', account).execute();
}

async function deleteLog(db: Db, account: string): Promise<void> {
  await db.deleteFrom('net_webhook_log').where('account', '=', account).execute();
}

/** Forgets all events that are owed to an account. */
export async function deleteEvents(db: Db, account: string): Promise<void> {
  await db.deleteFrom('net_webhook_event').where('account', '=', account).execute();
}

export async function insertEvent(db: Db, event: EventRow): Promise<void> {
  await db.insertInto('net_webhook_event').values(event).execute();
}

/** The event of an account that is due first, whenever that is. */
export function nextEvent(db: Db, account: string): Promise<EventRow | undefined> {
  return db
    .selectFrom('net_webhook_event')
    .selectAll()
    .where('account', '=', account)
    .orderBy('due_at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
}

export async function updateEvent(
  db: Db,
  id: string,
  changes: Pick<EventRow, 'attempts' | 'due_at'>,
): Promise<void> {
  await db.updateTable('net_webhook_event').set(changes).where('id', '=', id).execute();
}

export async function deleteEvent(db: Db, id: string): Promise<void> {
  await db.deleteFrom('net_webhook_event').where('id', '=', id).execute();
}

/** Adds a line to the log of a webhook, of which the last `kept_max` stay. */
export async function insertLogLine(
  db: Db,
  line: Insertable<DeliveryTables['net_webhook_log']>,
  kept_max: number,
): Promise<void> {
  await db.insertInto('net_webhook_log').values(line).execute();
  await db
    .deleteFrom('net_webhook_log')
    .where('account', '=', line.account)
    .where('number', '<=', line.number - kept_max)
    .execute();
}

/** The log of a webhook, the last attempt first. */
export function listLog(db: Db, account: string): Promise<LogRow[]> {
  return db
    .selectFrom('net_webhook_log')
    .selectAll()
    .where('account', '=', account)
    .orderBy('number', 'desc')
    .execute();
}

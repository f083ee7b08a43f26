import type { Queryable, Transaction } from '../../../platform/database/pool.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import { type Asking, type Open, openConnection } from '../connections.ts'
import { ProviderError, type ProviderTransfer } from '../methods/method.ts'
import { type ApiMethod, apiMethods, connecting } from '../methods/registry.ts'

/** A transfer as read from the provider of its method. */
export type TransferRead = ProviderTransfer & { method: string }

type TransferPage = { transfers: TransferRead[]; next: string | null }

/** One profile at one provider; `isChosen` if payouts are paid from it now. */
type Place = { method: ApiMethod; connection: Open; profile: string; isChosen: boolean }

/** Whether the provider lists what was requested from it; of others only what is known by its id can be read. */
export const isListing = ({ provider }: ApiMethod) => provider.numbers === undefined

/**
 * Returns a page of the transfers requested since then, whatever is stored here about them, with the start of the next
 * page; null without a connection to ask. Reads one method after the other, and of each one profile after the other: the
 * selected one, then those paid from.
 */
export async function readTransfers(
  services: Asking,
  { id: accountId, defaultCurrency: currency }: Pick<AccountFacts, 'id' | 'defaultCurrency'>,
  { since, from, among = apiMethods }: { since: Date; from: string | null; among?: ApiMethod[] },
): Promise<TransferPage | null> {
  const places = (await Promise.all(among.map((method) => listPlaces(services, accountId, method, since)))).flat()
  if (places.length === 0) return null
  const [at, offset] = from ? placeIn(from, places) : [0, 0]
  const place = places[at]
  if (!place) return { transfers: [], next: null }
  const { method, connection, profile, isChosen } = place
  const known = isListing(method) ? [] : await knownTransfers(services.db, accountId, method.name, since)
  const { transfers, next } = await method.provider
    .page(connection.api, profile, { since, offset, currency, known })
    .catch((error: unknown) => {
      // a profile that only another token could access is skipped
      if (error instanceof ProviderError && error.kind === 'withheld' && !isChosen) return { transfers: [], next: null }
      throw error
    })
  const following = next !== null ? { ...place, offset: next } : places[at + 1] && { ...places[at + 1]!, offset: 0 }
  return {
    transfers: transfers.map((transfer) => ({ ...transfer, method: method.name })),
    next: following ? `${following.method.name}:${following.profile}:${following.offset}` : null,
  }
}

/** Returns the profiles of a method to read; none without a connection, and a selected profile. */
export async function listPlaces(
  services: Asking,
  accountId: string,
  method: ApiMethod,
  since: Date,
): Promise<Place[]> {
  const connection = await openConnection(services, accountId, method.name)
  const chosen = connection?.profileId
  if (!connection || !chosen) return []
  const used = isListing(method) ? await profilesPaidFrom(services.db, accountId, method.name, since) : []
  return [chosen, ...used.filter((id) => id !== chosen)].map((profile) => ({
    method,
    connection,
    profile,
    isChosen: profile === chosen,
  }))
}

function placeIn(from: string, places: Place[]): [at: number, offset: number] {
  const [offset, profile, name = connecting.name] = from.split(':').reverse()
  const at = places.findIndex((place) => place.method.name === name && place.profile === profile)
  // the profile was changed meanwhile: start again
  return at < 0 ? [0, 0] : [at, Number(offset)]
}

/** Returns the transfers of a method that are known by their ids: those of attempts since then, and forgotten ones. */
async function knownTransfers(db: Queryable, accountId: string, method: string, since: Date): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select transfer_id as id from payout_attempts
    where account_id = ${accountId} and method = ${method} and transfer_id is not null and at >= ${since}
    union
    select transfer_id from transfers_read where account_id = ${accountId} and method = ${method}
    order by 1`
  return rows.map(({ id }) => id)
}

/** Returns the profiles that this method's attempts since then paid from; those of earlier releases name no method. */
async function profilesPaidFrom(db: Queryable, accountId: string, method: string, since: Date): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select distinct a.paid_from as id from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where o.account_id = ${accountId} and coalesce(a.method, ${connecting.name}) = ${method} and a.paid_from is not null
      and a.at >= ${since}
    order by 1`
  return rows.map(({ id }) => id)
}

type OfReading = { accountId: string; readingId: string }

/** Saves transfers read; an earlier decision about one stays. Pages may overlap if a transfer was created meanwhile. */
export async function saveTransfers(tx: Transaction, { accountId, readingId }: OfReading, transfers: TransferRead[]) {
  await tx.run`
    insert into transfers_read as r (account_id, transfer_id, reading_id, method, paid_from, transaction_id, reference,
      recipient_id, quote_id, amount, state, standing, made_at, payment_number)
    select distinct on (t.id) ${accountId}, t.id, ${readingId}, t.method, t.paid_from, t.transaction_id, t.reference,
      t.recipient_id, t.quote_id, t.amount, t.state, t.standing, t.made_at, t.payment_number
    from unnest(${transfers.map((one) => one.id)}::text[], ${transfers.map((one) => one.method)}::text[],
      ${transfers.map((one) => one.paidFrom)}::text[], ${transfers.map((one) => one.transactionId)}::text[],
      ${transfers.map((one) => one.reference)}::text[], ${transfers.map((one) => one.recipientId)}::text[],
      ${transfers.map((one) => one.quoteId)}::text[], ${transfers.map((one) => one.amount)}::bigint[],
      ${transfers.map((one) => one.state)}::text[], ${transfers.map((one) => one.standing)}::text[],
      ${transfers.map((one) => one.madeAt)}::timestamptz[], ${transfers.map((one) => one.paymentNumber)}::integer[])
      as t (id, method, paid_from, transaction_id, reference, recipient_id, quote_id, amount, state, standing, made_at,
        payment_number)
    on conflict (account_id, transfer_id) do update set reading_id = excluded.reading_id, method = excluded.method,
      paid_from = excluded.paid_from, transaction_id = excluded.transaction_id, reference = excluded.reference,
      recipient_id = excluded.recipient_id, quote_id = excluded.quote_id, amount = excluded.amount,
      state = excluded.state, standing = excluded.standing, made_at = excluded.made_at,
      payment_number = excluded.payment_number`
}

/** Keeps forgotten transfers in the current reading if their provider cannot list them. */
export const carryForgotten = (tx: Transaction, { accountId, readingId }: OfReading) => tx.run`
  update transfers_read set reading_id = ${readingId}
  where account_id = ${accountId} and method = any(${apiMethods.filter((one) => !isListing(one)).map(({ name }) => name)}::text[])`

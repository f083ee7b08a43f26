import { type DetailKind, detailKinds } from '#contract/detail-kinds.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import type { Method } from './methods/method.ts'
import {
  byHandMethod,
  isApiMethod,
  kindsPaid,
  methods,
  paysFrom,
  paysKind,
  rewardMethodNames,
} from './methods/registry.ts'
import type { PayoutTerms } from './payout-terms.ts'

// The method by which a payout would be paid now: the owner's choice for the partner if it reaches the details, else the
// first that does, else by hand. An approval fixes it.

/** The methods that are on, in the owner's order. */
export const methodsOn = ({ ways }: Pick<PayoutTerms, 'ways'>) => ways.map(({ method }) => method)

/** Names of the methods that pay on paydays without a person, now. */
export const runningMethods = ({ ways }: Pick<PayoutTerms, 'ways'>): string[] =>
  ways.filter(({ automatic, trouble }) => automatic && !trouble).map(({ method }) => method.name)

/** Names of the methods by which the nightly run gives customers their rewards. */
export const nightlyMethods = (terms: Pick<PayoutTerms, 'ways'>): string[] => [
  ...rewardMethodNames,
  ...runningMethods(terms),
]

/** The kinds of payout details that partners may enter. Without any payout method, a person may pay to a bank. */
export function offeredKinds(terms: Pick<PayoutTerms, 'ways' | 'account'>): DetailKind[] {
  const { defaultCurrency } = terms.account
  const on = methodsOn(terms).filter((method) => paysFrom(method, defaultCurrency))
  return detailKinds.filter((kind) =>
    on.length > 0
      ? on.some((method) => paysKind(method, kind))
      : kind === 'us-bank' || (kind === 'iban' && defaultCurrency === 'eur'),
  )
}

const withoutDetails = (on: Method[]) => on.find(isApiMethod) ?? on[0] ?? byHandMethod

const firstFor = (on: Method[], kind: DetailKind, currency: string) =>
  on.find((method) => paysKind(method, kind) && paysFrom(method, currency)) ?? byHandMethod

/** The method for details of this kind, null without any, and for the owner's choice for the partner. */
export function methodFor(
  terms: Pick<PayoutTerms, 'ways' | 'account'>,
  kind: DetailKind | null,
  choice: string | null,
): Method {
  const on = methodsOn(terms)
  if (choice === byHandMethod.name) return byHandMethod
  const chosen = on.find(({ name }) => name === choice)
  if (chosen && (kind === null || paysKind(chosen, kind))) return chosen
  return kind === null ? withoutDetails(on) : firstFor(on, kind, terms.account.defaultCurrency)
}

/** Whether partner `n` is in one of these groups of customers. */
export const isInGroups = (groups: { id: string }[]) => sql`(n.group_id = any(${groups.map(({ id }) => id)}::uuid[]))`

/** The methods that give the rewards of the account's customers, each with its groups. */
const rewardMethods = ({ customerGroups }: Pick<PayoutTerms, 'customerGroups'>) =>
  methods.flatMap((method) => {
    const groups = customerGroups.filter(({ reward }) => method.pays.needs === 'nothing' && reward.as === method.name)
    return groups.length > 0 ? [{ method, groups }] : []
  })

/** The reward of partner `n`, as JSON; null unless they are in a group of customers. */
export const rewardSql = ({ customerGroups }: Pick<PayoutTerms, 'customerGroups'>): Sql =>
  customerGroups.length === 0
    ? sql`null::jsonb`
    : sql`(case n.group_id ${joinSql(
        customerGroups.map(({ id, reward }) => sql`when ${id}::uuid then ${JSON.stringify(reward)}::jsonb`),
        ' ',
      )} end)`

/** Joins `w.method`, like `methodFor`, to partners `n` with the details `d`. */
export const withMethod = (terms: PayoutTerms) =>
  sql`cross join lateral (select ${terms.into ? sql`${terms.into.name}::text` : withRewards(terms)} as method) w`

function withRewards(terms: PayoutTerms): Sql {
  const giving = rewardMethods(terms)
  if (giving.length === 0) return inSql(terms)
  const those = giving.map(({ method, groups }) => sql`when ${isInGroups(groups)} then ${method.name}`)
  return sql`case ${joinSql(those, ' ')} else ${inSql(terms)} end`
}

function inSql(terms: PayoutTerms): Sql {
  const on = methodsOn(terms)
  const { defaultCurrency } = terms.account
  if (on.length === 0) return sql`${byHandMethod.name}::text`
  const choices = on.map(
    (method) => sql`
      when n.payout_method = ${method.name} and (d.details_sealed is null or ${isPaid(method)}) then ${method.name}`,
  )
  const kinds = detailKinds.map((kind) => sql`when ${kind} then ${firstFor(on, kind, defaultCurrency).name}`)
  return sql`case
      when n.payout_method = ${byHandMethod.name} then ${byHandMethod.name}
      ${joinSql(choices, ' ')}
      when d.details_sealed is null then ${withoutDetails(on).name}
      else case d.kind ${joinSql(kinds, ' ')} end
    end`
}

const isPaid = (method: Method) => sql`d.kind = any(${kindsPaid(method)}::text[])`

/** Methods that a payout of the account may have now. */
export const possibleMethods = (terms: PayoutTerms): Method[] =>
  terms.into
    ? [terms.into]
    : methods.filter(
        (method) =>
          method === byHandMethod ||
          methodsOn(terms).includes(method) ||
          rewardMethods(terms).some((giving) => giving.method === method),
      )

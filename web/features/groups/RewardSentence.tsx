import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import type { GroupReward } from '#contract/groups.ts'
import type { PromotionCodeRule, ProviderConnection } from '#contract/payment-providers.ts'
import { type RewardPromise, rewardSentence } from '#contract/reward-sentence.ts'
import type { WholeTerms } from '#contract/terms-in-words.ts'
import { formatCountry, formatMoney, formatRate } from '../../format.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { paymentProvidersQuery } from '../../shell/queries.ts'

/** Returns the rule by which a connection makes the codes of a group's customers; null for those of a new group. */
export const findRule = ({ codeRules }: ProviderConnection, groupId: string | null): PromotionCodeRule | undefined =>
  codeRules.find(({ groupIds }) => !groupIds || (groupId !== null && groupIds.includes(groupId)))

export const isConnected = ({ state }: ProviderConnection) => state !== 'disconnected'

type Props = { groupId: string | null; reward: GroupReward; terms: WholeTerms }

/** A sentence of what friend and customer get, as customers read it. */
export function RewardSentence({ groupId, reward, terms }: Props) {
  const account = useOwnAccount()
  const { data } = useQuery(paymentProvidersQuery(account.id))
  const rules = data?.items.filter(isConnected).flatMap((connection) => findRule(connection, groupId) ?? []) ?? []
  const [rule] = rules
  const offer = rule ? { ...rule, currency: rule.currency ?? account.defaultCurrency } : null
  return <p className="strong">{rewardInSentence({ offer, reward, terms, account })}</p>
}

type Promised = Omit<Props, 'groupId'> & { offer?: RewardPromise['offer']; account: Account }

/** Returns what friend and customer get as one sentence. */
export function rewardInSentence({ offer = null, reward, terms, account }: Promised) {
  const { defaultCurrency: currency, recurringMonths } = account
  const given = { unitName: null, unitValue: null, ...reward }
  const wording = { money: formatMoney, rate: formatRate, country: formatCountry }
  return rewardSentence({ offer, reward: given, terms, recurringMonths, currency }, wording)
}

import { useQuery } from '@tanstack/react-query'
import type { GroupReward } from '#contract/groups.ts'
import type { PromotionCodeRule, ProviderConnection } from '#contract/payment-providers.ts'
import { rewardSentence } from '#contract/reward-sentence.ts'
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
  const { id, defaultCurrency: currency, recurringMonths } = useOwnAccount()
  const { data } = useQuery(paymentProvidersQuery(id))
  const rules = data?.items.filter(isConnected).flatMap((connection) => findRule(connection, groupId) ?? []) ?? []
  const [rule] = rules
  const offer = rule ? { ...rule, currency: rule.currency ?? currency } : null
  const given = { unitName: null, unitValue: null, ...reward }
  const wording = { money: formatMoney, rate: formatRate, country: formatCountry }
  return <p className="strong">{rewardSentence({ offer, reward: given, terms, recurringMonths, currency }, wording)}</p>
}

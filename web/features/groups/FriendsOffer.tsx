import { useQuery } from '@tanstack/react-query'
import type { Group } from '#contract/groups.ts'
import { type ProviderConnection, saveCodeRule } from '#contract/payment-providers.ts'
import { discountInWords } from '#contract/reward-sentence.ts'
import { formatMoney, formatRate } from '../../format.ts'
import { availableProvidersQuery } from '../../shared/queries.ts'
import { paymentProvidersQuery } from '../../shell/queries.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { rewardWords as words } from '../../words/rewards.ts'
import { findRule, isConnected } from './RewardSentence.tsx'

type Maker = { connection: ProviderConnection; name: string; kind: 'coupon' | 'discount'; groupId: string }

const setUp = lateAct<Maker>(async () => (await import('../../shared/MakeCodes.tsx')).MakeCodes, {
  label: ({ name }) => words.setUpOffer({ provider: name }),
  needs: saveCodeRule,
})

/** The discount that each connected provider gives the friends of a group's customers. */
export function FriendsOffer({ group: { id: groupId, accountId } }: { group: Group }) {
  const connections = useQuery(paymentProvidersQuery(accountId))
  const available = useQuery(availableProvidersQuery(accountId))
  const makers =
    connections.data?.items.filter(isConnected).flatMap((connection): Maker[] => {
      const offer = available.data?.items.find(({ provider }) => provider === connection.provider)
      return offer?.makesCodes ? [{ connection, name: offer.name, kind: offer.makesCodes, groupId }] : []
    }) ?? []
  return (
    <PendingPanel
      heading={words.offer}
      answer={connections.data ? available : { ...available, data: undefined }}
      rows={2}
    >
      {() => (
        <div className="inset stack">
          <p className="muted">{makers.length > 0 ? words.offerHelp : words.noCodes}</p>
          {makers.map((maker) => (
            <div key={maker.connection.id} className="stack gap-1">
              <div className="row between">
                <span>{ruleInWords(maker)}</span>
                <ActButton act={setUp} of={maker} />
              </div>
              {maker.connection.provider !== 'stripe' && (
                <p className="muted small">{words.alsoLater({ provider: maker.name })}</p>
              )}
            </div>
          ))}
          {makers.length === 0 && (
            <div className="row">
              <LinkButton to="/integrations/payment-providers">{words.toProviders}</LinkButton>
            </div>
          )}
        </div>
      )}
    </PendingPanel>
  )
}

function ruleInWords({ connection, name: provider, groupId }: Maker) {
  const rule = findRule(connection, groupId)
  const currency = rule?.currency ?? connection.defaultCurrency ?? 'usd'
  const discount = rule && discountInWords({ ...rule, currency }, { money: formatMoney, rate: formatRate })
  return discount ? words.offerOf({ provider, discount }) : words.noOfferOf({ provider })
}

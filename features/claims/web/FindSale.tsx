import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { listLeads } from '#contract/leads.ts'
import { listSales } from '#contract/sales.ts'
import { listQuery } from '#web/calls.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { StatusBadge } from '#web/shared/StatusBadge.tsx'
import { useAccount } from '#web/shell/current.ts'
import { exposeAction, useStart } from '#web/ui/actions.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextAreaField } from '#web/ui/fields.tsx'
import { TextField } from '#web/ui/form.tsx'
import { defineFormAction } from '#web/ui/form-act.tsx'
import { Empty } from '#web/ui/Panel.tsx'
import { Pending } from '#web/ui/Pending.tsx'
import { fieldWords } from '#web/words/fields.ts'
import { AcceptedClaim, acceptClaim, type Claim, type ClaimCandidate } from '../contract.ts'
import { claimWords as words } from '../text.ts'
import { AddSale, WouldEarn } from './AddSale.tsx'
import styles from './Claims.module.css'
import { explainConsequence, isAcceptable } from './candidates.ts'
import { claimQuery } from './queries.ts'

/** Sales without a partner, sales with one, and leads shown for a search, each at most. */
const SHOWN = 10

type Chosen = { saleId: string | undefined; leadId: string | undefined }

/** Accepts a claim with any sale or lead of the account: its best match, or one found by what is known of it. */
export const FindSale = exposeAction(
  defineFormAction(acceptClaim, AcceptedClaim, (claim: Claim) => ({
    heading: words.find,
    why: words.findWhy({ partner: claim.partnerName }),
    submit: words.acceptHeading,
    done: words.accepted,
    initial: { saleId: undefined, leadId: undefined, reason: '' } as Chosen & { reason: string },
    unready: ({ saleId, leadId }) => !saleId && !leadId && words.chooseFirst,
    send: ({ saleId, leadId, reason }) => ({
      params: { id: claim.id },
      body: { ...(saleId ? { saleId } : { leadId }), ...(reason ? { reason } : {}) },
    }),
    fields: ({ field, set, values: { saleId, leadId } }) => (
      <>
        <Search claim={claim} chosen={saleId ?? leadId} onChoose={set} />
        <TextAreaField {...field('reason', fieldWords.reason)} rows={2} optional help={words.reasonHelp} />
      </>
    ),
  })),
  { label: words.find, when: ({ state }) => state === 'open' },
)

/** A day or an amount is searched as such, other texts in emails, names and IDs. */
function queryOf(text: string) {
  const search = text.trim()
  if (/^\d{4}-\d\d-\d\d$/.test(search)) return { from: search, to: search }
  if (/^\d+[.,]\d\d$/.test(search)) {
    const amount = search.replace(/[.,]/, '')
    return { minAmount: amount, maxAmount: amount }
  }
  return search ? { search } : {}
}

type Props = { claim: Claim; chosen: string | undefined; onChoose: (chosen: Chosen) => void }

function Search({ claim, chosen, onChoose }: Props) {
  const { id: accountId } = useAccount()
  const id = useId()
  const start = useStart()
  const [text, setText] = useState(claim.email ?? claim.orderId ?? '')
  const filters = queryOf(text)
  const params = { id: accountId }
  const salesOf = (unattributed: 'true' | 'false') =>
    listQuery(listSales, { params, search: { ...filters, unattributed, limit: SHOWN, sort: '-saleDate' } })
  const [free, credited] = [useQuery(salesOf('true')), useQuery(salesOf('false'))]
  const found = useQuery({
    ...listQuery(listLeads, { params, search: { ...filters, limit: SHOWN, sort: '-createdAt' } }),
    enabled: 'search' in filters,
  })
  const matches = useMatches({ claim, chosen, onChoose })
  const isMatch = ({ id }: { id: string }) => matches.some((match) => match.id === id)
  const all = [...(free.data?.items ?? []), ...(credited.data?.items ?? [])]
  const sales = all.filter((sale) => !isMatch(sale))
  const allLeads = 'search' in filters ? (found.data?.items ?? []) : []
  const leads = allLeads.filter((lead) => !isMatch(lead))
  const ofOther = (partnerId: string | null) => partnerId !== null && partnerId !== claim.partnerId
  const sale = all.find(({ id }) => id === chosen)
  const match = matches.find(({ id }) => id === chosen)
  return (
    <div className="stack gap-2">
      {matches.length > 0 && (
        <div>
          <p className="strong">{words.candidates}</p>
          <ul aria-label={words.candidates} className={`stack gap-1 ${styles.found}`}>
            {matches.map((candidate) => (
              <li key={candidate.id}>
                <Choice
                  isChosen={candidate.id === chosen}
                  cannot={false}
                  onChoose={() => onChoose(choiceOf(candidate))}
                  name={candidate.name}
                  facts={[
                    candidate.kind === 'lead'
                      ? words.lead
                      : formatMoney(candidate.amount ?? 0, candidate.currency ?? ''),
                    formatDate(candidate.day),
                    candidate.named[0] ?? candidate.fits[0]?.why ?? null,
                  ]}
                  badge={null}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      <TextField id={id} name="search" label={words.findBy} value={text} onChange={setText} onBlur={() => undefined} />
      {!free.data && <Pending answer={free} rows={2} />}
      {free.data && credited.data && all.length + allLeads.length === 0 && (
        <Empty
          what={words.nothingFound}
          action={
            <Button small onClick={() => start(AddSale, claim)}>
              {words.add}
            </Button>
          }
        />
      )}
      <ul aria-label={words.found} className={`stack gap-1 ${styles.found}`}>
        {sales.map(({ id, leadName, payerEmail, externalId, partnerId, partnerName, status, ...sale }) => (
          <li key={id}>
            <Choice
              isChosen={id === chosen}
              cannot={ofOther(partnerId) || status === 'void'}
              onChoose={() => onChoose({ saleId: id, leadId: undefined })}
              name={leadName ?? payerEmail ?? externalId ?? words.sale}
              facts={[
                formatMoney(sale.amount ?? 0, sale.currency, sale.accountCurrency),
                formatDate(sale.saleDate),
                partnerName ?? words.noPartner,
              ]}
              badge={status === 'completed' ? null : <StatusBadge of="sale" status={status} />}
            />
          </li>
        ))}
        {leads.map(({ id, displayName, email, partnerId, partnerName, status }) => (
          <li key={id}>
            <Choice
              isChosen={id === chosen}
              cannot={ofOther(partnerId) || status === 'duplicate' || status === 'rejected'}
              onChoose={() => onChoose({ saleId: undefined, leadId: id })}
              name={displayName}
              facts={[words.lead, email, partnerName ?? words.noPartner]}
              badge={<StatusBadge of="lead" status={status} />}
            />
          </li>
        ))}
      </ul>
      {match && <p>{explainConsequence({ claim, candidate: match })}</p>}
      {sale && sale.partnerId === null && sale.amount !== null && (
        <WouldEarn claim={claim} amount={sale.amount} currency={sale.currency} saleDate={sale.saleDate} />
      )}
    </div>
  )
}

const choiceOf = ({ kind, id }: ClaimCandidate): Chosen =>
  kind === 'sale' ? { saleId: id, leadId: undefined } : { saleId: undefined, leadId: id }

/** Returns the claim's matches that can be accepted, best first; the first is chosen if it has what the partner named. */
function useMatches({ claim, chosen, onChoose }: Props): readonly ClaimCandidate[] {
  const { data } = useQuery(claimQuery(claim.id))
  const matches = data?.candidates.filter(isAcceptable) ?? []
  const best = matches.find(({ named }) => named.length > 0)
  const choose = useEffectEvent(() => best && !chosen && onChoose(choiceOf(best)))
  useEffect(() => {
    if (best?.id) choose()
  }, [best?.id])
  return matches
}

type ChoiceProps = {
  isChosen: boolean
  cannot: boolean
  onChoose: () => void
  name: string
  facts: readonly (string | null)[]
  badge: ReactNode
}

const Choice = ({ isChosen, cannot, onChoose, name, facts, badge }: ChoiceProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    disabled={cannot}
    className={`choice ${styles.choice}`}
    onClick={onChoose}
  >
    <span className="rest">
      <strong>{name}</strong>
      <span className="small muted"> {facts.filter(Boolean).join(' · ')}</span>
    </span>
    {badge}
  </button>
)

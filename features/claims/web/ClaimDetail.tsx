import { Link } from '@tanstack/react-router'
import { formatNumber } from '#contract/format.ts'
import { formatDate, formatShortDateTime } from '#web/format.ts'
import { ToLead, ToPartner } from '#web/shared/links.tsx'
import { StatusBadge } from '#web/shared/StatusBadge.tsx'
import { useAccount } from '#web/shell/current.ts'
import { ThingPage } from '#web/shell/ThingPage.tsx'
import { Email } from '#web/ui/Address.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { type Fact, Facts } from '#web/ui/Facts.tsx'
import { Message } from '#web/ui/Message.tsx'
import { Money } from '#web/ui/Money.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Empty, Panel } from '#web/ui/Panel.tsx'
import { TwoColumns } from '#web/ui/TwoColumns.tsx'
import { fieldWords } from '#web/words/fields.ts'
import { questionWords } from '#web/words/questions.ts'
import type { ClaimCandidate, ClaimWithCandidates } from '../contract.ts'
import { claimWords as words } from '../text.ts'
import { AddSale } from './AddSale.tsx'
import styles from './Claims.module.css'
import { isAcceptable } from './candidates.ts'
import { Accept, Ask, Refuse } from './decide.tsx'
import { FindSale } from './FindSale.tsx'
import { claimName, shownState, waitsForPartner } from './names.ts'
import { claimQuery } from './queries.ts'

const toClaims = <Link to="/claims">{words.claims}</Link>

/** A claim: what its partner says is missing, then the sales and leads that fit it. */
export function ClaimDetail({ claimId }: { claimId: string }) {
  return (
    <ThingPage query={claimQuery(claimId)} heading={words.claim} shape="detail" parent={toClaims} gone={words.gone}>
      {(claim) => <Detail key={claim.id} claim={claim} />}
    </ThingPage>
  )
}

function Detail({ claim }: { claim: ClaimWithCandidates }) {
  const { timeZone } = useAccount()
  const { state, partnerName, credited, candidates, from, to, orderId, askedAt } = claim
  const isOpen = state === 'open'
  return (
    <Page
      heading={words.from({ name: partnerName })}
      crumb={claimName(claim)}
      parent={toClaims}
      badge={<StatusBadge of="claim" status={shownState(claim)} />}
      about={<span className="wrap">{claimName(claim)}</span>}
      actions={
        <>
          <ActButton look="primary" act={FindSale} of={claim} />
          <ActButton act={Ask} of={claim} />
          <ActButton act={Refuse} of={claim} />
        </>
      }
    >
      {credited && <Message kind="info">{words.credited}.</Message>}
      <TwoColumns aside={<About claim={claim} timeZone={timeZone} />}>
        <Said claim={claim} />
        {(isOpen || candidates.length > 0) && (
          <Panel heading={words.candidates}>
            <p className="inset muted small">
              {words.searched({ from: formatDate(from), to: formatDate(to) })}
              {candidates.some(({ score }) => score > 0) && ` ${words.scoreWhy}`}
            </p>
            {candidates.length === 0 ? (
              <Empty
                action={<ActButton small act={AddSale} of={claim} />}
                what={words.nothing}
                hint={`${words.nothingHint}${askedAt ? '' : ` ${orderId ? words.missingEmail : words.missingOrder}`}`}
              />
            ) : (
              <ul aria-label={words.candidates} className="items">
                {candidates.map((candidate) => (
                  <Candidate key={candidate.id} claim={claim} candidate={candidate} />
                ))}
              </ul>
            )}
          </Panel>
        )}
      </TwoColumns>
    </Page>
  )
}

function Candidate({ claim, candidate }: { claim: ClaimWithCandidates; candidate: ClaimCandidate }) {
  const { kind, leadId, name, day, amount, currency, saleStatus, leadStatus, state, partnerName, named, fits, score } =
    candidate
  return (
    <li className="stack gap-2 inset-all">
      <div className="row between">
        <h3 className="wrap">{leadId ? <ToLead id={leadId}>{name}</ToLead> : name}</h3>
        <span className="row gap-2">
          {amount !== null && <Money strong amount={amount} currency={currency ?? ''} />}
          {saleStatus && <StatusBadge of="sale" status={saleStatus} />}
          {leadStatus && <StatusBadge of="lead" status={leadStatus} />}
        </span>
      </div>
      <p className="muted small wrap">
        {kind === 'sale' ? words.sale : words.lead}, {formatDate(day)}.{' '}
        {partnerName ? words.ofPartner({ name: partnerName }) : words.noPartner}.
        {/* without a score there are only the named reasons, which follow */}
        {score > 0 && ` ${words.score({ score })}.`}
      </p>
      <ul className={styles.why}>
        {named.map((why) => (
          <li key={why} className="strong">
            {why}
          </li>
        ))}
        {fits.map(({ rule, why, counts }) => (
          <li key={rule} className={counts ? undefined : 'muted'}>
            {why} {!counts && <Badge tone="waits">{words.notCounted}</Badge>}
          </li>
        ))}
      </ul>
      {state !== 'ready' && (
        <p className={state === 'credited' ? 'muted small' : 'small warning'}>{words.state[state]}</p>
      )}
      {isAcceptable(candidate) && (
        <div>
          <ActButton small act={Accept} of={{ claim, candidate }} />
        </div>
      )}
    </li>
  )
}

/** The order that the partner names, or the customer and the day, their note, and their answer to a question. */
function Said({ claim }: { claim: ClaimWithCandidates }) {
  const { orderId, email, day, note, question, answer, partnerName } = claim
  const facts: Fact[] = [
    orderId !== null && { label: words.orderId, value: orderId },
    email !== null && { label: fieldWords.email, value: <Email>{email}</Email> },
    day !== null && { label: words.day, value: formatDate(day) },
  ]
  return (
    <Panel heading={words.said}>
      <Facts label={words.said} facts={facts} />
      {note !== null && <blockquote className={`inset-all wrap ${styles.note}`}>{note}</blockquote>}
      {question !== null && (
        <div className="stack gap-1 inset-all">
          <p className="lines">
            <span className="muted">{questionWords.asked}:</span> {question}
          </p>
          {answer !== null && (
            <p className="lines">
              <span className="muted">{questionWords.answer}:</span> {answer}
            </p>
          )}
          {waitsForPartner(claim) && <p className="muted small">{questionWords.waiting({ partner: partnerName })}</p>}
        </div>
      )}
    </Panel>
  )
}

function About({ claim, timeZone }: { claim: ClaimWithCandidates; timeZone: string }) {
  const { partnerId, partnerName, reason, createdAt, decidedAt, decidedBy } = claim
  const { leadId, leadName, clicks, others } = claim
  const at = (instant: string) => formatShortDateTime(instant, timeZone)
  const facts: Fact[] = [
    {
      label: fieldWords.partner,
      value: <ToPartner id={partnerId}>{partnerName}</ToPartner>,
    },
    { label: words.made, value: at(createdAt) },
    {
      label: fieldWords.clicks,
      value: clicks.lastDay
        ? words.clicked({ count: formatNumber(clicks.count), date: formatDate(clicks.lastDay) })
        : formatNumber(clicks.count),
    },
    decidedAt !== null && {
      label: words.decided,
      value: decidedBy ? words.decidedBy({ date: at(decidedAt), name: decidedBy }) : at(decidedAt),
    },
    leadId !== null && {
      label: words.acceptedFor,
      value: <ToLead id={leadId}>{leadName}</ToLead>,
    },
    reason !== null && { label: fieldWords.reason, value: reason },
  ]
  return (
    <>
      <Panel heading={words.claim}>
        <Facts label={words.claim} facts={facts.filter((fact) => fact !== false)} />
      </Panel>
      {others.length > 0 && (
        <Panel heading={words.others}>
          <ul aria-label={words.others} className="items">
            {others.map(({ id, partnerName, state }) => (
              <li key={id} className="row between inset-all">
                <Link to="/claims/$claimId" params={{ claimId: id }}>
                  {partnerName}
                </Link>
                <StatusBadge of="claim" status={state} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

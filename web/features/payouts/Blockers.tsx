import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rights } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { savePayoutSettings } from '#contract/payout-settings.ts'
import type { Blocker, Payout } from '#contract/payouts.ts'
import { formatDate } from '../../format.ts'
import { ToPartner } from '../../shared/links.tsx'
import { isTeam } from '../../shared/roles.ts'
import { useAccount, useAccountRole } from '../../shell/current.ts'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { blockerWords, type PartnersBlocker } from '../../words/blockers.ts'
import { payoutWords } from '../../words/payouts.ts'
import { rewardWords } from '../../words/rewards.ts'
import { twoApprovalsWords } from '../../words/two-approvals.ts'
import { Remedy as RemedyButton } from './NextAct.tsx'
import { isByHand, isNameDoubted, isUnsure, soft } from './words.ts'

/** The payout's blockers, each with its remedy. */
export function Blockers({ payout }: { payout: Payout }) {
  const { blockers } = payout
  const isOwner = isTeam(useAccountRole())
  if (blockers.length === 0) return isOwner ? <Stopped payout={payout} /> : <ToClaim payout={payout} />
  const hard = blockers.some(({ code }) => !soft.includes(code))
  return (
    <Panel
      heading={hard ? payoutWords.blockers.heading : isOwner ? payoutWords.blockers.soft : payoutWords.blockers.softOwn}
      aside={formatNumber(blockers.length)}
    >
      <ul className="stack gap-2 inset">
        {blockers.map(({ code, message }) => (
          <li key={code}>
            <Message kind={soft.includes(code) ? 'info' : 'warning'}>
              <strong>{message}</strong>
              {isOwner ? <Remedy code={code} payout={payout} /> : <OwnRemedy code={code} />}
            </Message>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** The day until which the partner can accept a payment that waits for them. */
function ToClaim({ payout: { claimBy } }: { payout: Payout }) {
  if (!claimBy) return null
  return (
    <Panel heading={payoutWords.stopped.heading}>
      <div className="inset">
        <Message kind="warning">{payoutWords.stopped.claimBy({ date: formatDate(claimBy) })}</Message>
      </div>
    </Panel>
  )
}

/** An approved payout that needs a person: what happened, and the remedy. */
function Stopped({ payout }: { payout: Payout }) {
  const { failureReason, nameCheck } = payout
  const at = whereItStopped(payout)
  if (!at) return null
  return (
    <Panel heading={payoutWords.stopped.heading}>
      <div className="inset">
        <Message kind="warning">
          <strong>{at === 'other-name' ? nameCheck!.message : (failureReason ?? payoutWords.stopped[at])}</strong>
          <p>{payoutWords.stopped[`${at}_help`]}</p>
          {at === 'awaiting-funding' && (
            <a href="https://wise.com/" target="_blank" rel="noreferrer">
              {payoutWords.payOnWise}
            </a>
          )}
        </Message>
      </div>
    </Panel>
  )
}

/**
 * Returns the step at which the payout stopped; for one in progress at its provider only if there is a reason to show.
 */
function whereItStopped(payout: Payout) {
  const { status, method, failureReason: reason, claimBy } = payout
  if (isUnsure(payout)) return 'unsure'
  if (claimBy) return 'unclaimed'
  if (status === 'approved' && isNameDoubted(payout)) return 'other-name'
  if (status === 'approved' && method === 'csv') return 'in-batch'
  if (status === 'approved' && method === 'sepa') return 'in-file'
  if (status === 'approved' && isByHand(method)) return 'by-hand'
  if (status === 'awaiting-funding' && method !== 'wise') return 'awaiting-balance'
  if (status === 'awaiting-funding' || status === 'failed' || status === 'returned') return status
  const underWay = status === 'approved' || status === 'processing' || status === 'sent'
  return underWay && reason ? 'under-way' : null
}

function Remedy({ code, payout }: { code: Blocker['code']; payout: Payout }): ReactNode {
  const may = usePermission()
  const toPartner = (
    <ToPartner id={payout.partnerId}>{payoutWords.blockers.openPartner({ name: payout.partnerName })}</ToPartner>
  )
  const toSettings = may({ allow: code === 'below-minimum' ? rights.pay : rights.own }) && (
    <Link to="/account/settings" search={{ tab: 'payouts' }}>
      {payoutWords.blockers.openSettings}
    </Link>
  )
  const toMethods = may({ allow: rights.own }) && (
    <Link to="/account/settings" search={{ tab: 'payouts' }}>
      {payoutWords.blockers.setUpMethod}
    </Link>
  )
  const reminder = <RemedyButton key="remind" kind="remind" payout={payout} />
  const remedies: Record<Blocker['code'], [text: string, link?: ReactNode]> = {
    'no-deposit-info': [payoutWords.blockers.askDetails, reminder],
    'not-approved-this-year': [
      payoutWords.blockers.oncePerYear,
      <RemedyButton key="year" kind="approve-year" payout={payout} />,
    ],
    'not-approved-next-year': [payoutWords.blockers.oncePerYear],
    'below-minimum': [payoutWords.blockers.wait, toSettings],
    'negative-balance': [payoutWords.blockers.negative],
    'on-hold-fraud': [payoutWords.blockers.held, toPartner],
    'deposit-info-changed-recently': [payoutWords.blockers.changed],
    'payouts-not-configured': [payoutWords.blockers.notConfigured, toMethods],
    'no-method': [payoutWords.blockers.outOfReach, toMethods],
    'currency-unsupported': [payoutWords.blockers.currency],
    'wise-rejected-recipient': [payoutWords.blockers.rejected, reminder],
    'details-rejected': [payoutWords.blockers.rejected, reminder],
    'partner-disabled': [payoutWords.blockers.suspended, toPartner],
    'agreement-not-accepted': [payoutWords.blockers.agreement, toPartner],
    'tax-form-missing': [payoutWords.blockers.taxForm, toPartner],
    'invoice-details-missing': [payoutWords.blockers.invoiceDetails, toPartner],
    'adjusted-by-hand': [twoApprovalsWords.adjusted],
    'second-approval': [twoApprovalsWords.second],
    'no-customer-at-provider': [rewardWords.noCustomer, toPartner],
    'customer-deleted': [rewardWords.customerDeleted, toPartner],
    'customer-currency-differs': [rewardWords.customerCurrency, toPartner],
  }
  const [text, link] = remedies[code]
  return (
    <>
      <p>{text}</p>
      {link}
    </>
  )
}

/** Blockers that partners lift in their settings. */
const inSettings: readonly Blocker['code'][] = [
  'no-deposit-info',
  'wise-rejected-recipient',
  'details-rejected',
  'tax-form-missing',
  'invoice-details-missing',
]

/** The next step, and a link if the partner can take it: entering their details, or their tax form. */
function OwnRemedy({ code }: { code: Blocker['code'] }) {
  const may = usePermission()
  const { displayName } = useAccount()
  return (
    <>
      <p>{blockerWords.next[code as PartnersBlocker]({ account: displayName })}</p>
      {may(savePayoutSettings) && inSettings.includes(code) && (
        <Link to="/partner/settings">{payoutWords.blockers.enterDetails}</Link>
      )}
    </>
  )
}

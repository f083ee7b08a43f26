import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Receipt } from '#contract/sales.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useRole } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { saleWords } from '../../words/leads.ts'
import { pageWords } from '../../words/shell.ts'
import { receiptQuery } from './queries.ts'
import { ReceiptSteps } from './ReceiptSteps.tsx'
import styles from './Sales.module.css'
import { receiptName } from './words.ts'

/** The receipt of one amount at its own address, which its partner may open too. */
export function ReceiptPage({ commissionId }: { commissionId: string }) {
  const role = useRole()
  const whole = isTeam(role)
  const list = whole ? (
    <Link key="list" to="/partners">
      {pageWords.partners}
    </Link>
  ) : (
    <Link
      key="list"
      to="/partners/$partnerId"
      params={{ partnerId: isAtPartner(role) ? role.partnerId : '' }}
      search={{ tab: 'commissions' }}
    >
      {pageWords.commissions}
    </Link>
  )
  return (
    <ThingPage
      query={receiptQuery(commissionId)}
      shape="form"
      heading={saleWords.receipt.heading}
      parent={list}
      gone={saleWords.receipt.gone}
    >
      {(data) => <Loaded receipt={data} parents={whole ? [list, <PartnerLink key="partner" of={data} />] : [list]} />}
    </ThingPage>
  )
}

const PartnerLink = ({ of: { entry } }: { of: Receipt }) => (
  <Link to="/partners/$partnerId" params={{ partnerId: entry.partnerId }} search={{ tab: 'commissions' }}>
    {entry.partnerName}
  </Link>
)

function Loaded({ receipt, parents }: { receipt: Receipt; parents: ReactNode[] }) {
  return (
    <Page
      heading={receiptName(receipt)}
      crumb={saleWords.receipt.heading}
      parent={parents}
      badge={<StatusBadge of="commission" status={receipt.entry.status} />}
      actions={<CopyReceipt of={receipt} />}
    >
      <Panel className={`inset-all ${styles.path}`}>
        <ReceiptSteps receipt={receipt} />
      </Panel>
    </Page>
  )
}

/** Copies the address of the receipt's page, which both owner and partner may open. */
export const CopyReceipt = ({ of }: { of: Receipt }) => (
  <CopyButton value={new URL(`/commissions/${of.entry.id}`, location.origin).href} label={saleWords.receipt.copyLink}>
    {saleWords.receipt.copyLink}
  </CopyButton>
)

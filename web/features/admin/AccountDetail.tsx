import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { formatNumber } from '#contract/format.ts'
import type { Stats } from '#contract/stats.ts'
import { formatDate, formatDateAt, formatMoney, formatZone } from '../../format.ts'
import { factorWord } from '../../shared/people.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { accountQuery, accountStatsQuery } from '../../shell/queries.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { PendingStats, StatStrip } from '../../ui/StatStrip.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { adminWords } from '../../words/admin.ts'
import { hostWords } from '../../words/assets.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { peopleWords } from '../../words/people.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'
import { statsWords } from '../../words/stats.ts'
import { accountActs } from './account-actions.tsx'
import { accountName, toAccountStatus } from './names.ts'
import { Owner } from './Owner.tsx'
import { membersQuery } from './queries.ts'

/** One account from the administrator's view. */
export const AccountDetail = ({ accountId }: { accountId: string }) => (
  <ThingPage
    query={accountQuery(accountId)}
    shape="detail"
    heading={pageWords.account}
    parent={toList}
    gone={adminWords.gone}
  >
    {(account) => <Loaded account={account as Account} />}
  </ThingPage>
)

const toList = <Link to="/admin/accounts">{pageWords.accounts}</Link>

function Loaded({ account }: { account: Account }) {
  accountActs.assign.usePrefetch()
  const { disabledAt } = account
  return (
    <Page
      heading={accountName(account)}
      parent={toList}
      badge={<StatusBadge of="account" status={toAccountStatus(account)} />}
      actions={
        <>
          <ActButton act={accountActs.assign} of={account} />
          <ActButton look="primary" act={accountActs.enable} of={account} />
          <ActButton look="remove" act={accountActs.disable} of={account} />
        </>
      }
    >
      {disabledAt && <Message kind="warning">{adminWords.disabledState}</Message>}
      <TwoColumns aside={<Details account={account} />}>
        <Figures account={account} />
        <Owner account={account} />
        <People account={account} />
      </TwoColumns>
    </Page>
  )
}

function Figures({ account }: { account: Account }) {
  const answer = useQuery(accountStatsQuery(account.id))
  if (!answer.data) return <PendingStats count={4} answer={answer} />
  return <StatStrip label={adminWords.figures({ name: accountName(account) })} stats={figuresOf(answer.data)} />
}

function figuresOf({ numberOfPartners, numberOfLeads, numberOfSales, salesRevenue, currency }: Stats) {
  return [
    { label: fieldWords.partners, value: formatNumber(numberOfPartners) },
    { label: fieldWords.leads, value: formatNumber(numberOfLeads) },
    { label: fieldWords.sales, value: formatNumber(numberOfSales) },
    { label: fieldWords.revenue, value: formatMoney(salesRevenue ?? 0, currency) },
  ].map((stat) => ({ ...stat, note: statsWords.allTime }))
}

/** The account's team, which its owners manage. */
function People({ account: { id } }: { account: Account }) {
  const answer = useQuery(membersQuery(id))
  return (
    <PendingPanel heading={settingsWords.people} answer={answer} rows={3}>
      {({ items }) => (
        <PlainTable
          label={settingsWords.people}
          rows={items}
          keyOf={({ userId }) => userId}
          columns={[
            { head: fieldWords.email, cell: ({ email }) => <span className="wrap">{email}</span> },
            { head: fieldWords.role, cell: ({ role }) => peopleWords.roles[role] },
            {
              head: peopleWords.secondFactor,
              wideOnly: true,
              cell: ({ secondFactor }) => factorWord(secondFactor),
            },
            {
              head: peopleWords.lastSeen,
              wideOnly: true,
              cell: ({ lastSeenOn }) => (lastSeenOn ? formatDate(lastSeenOn) : basicWords.absent),
            },
            { head: fieldWords.status, cell: ({ status }) => <StatusBadge of="member" status={status} /> },
          ]}
        />
      )}
    </PendingPanel>
  )
}

function Details({ account }: { account: Account }) {
  const { defaultCurrency, timeZone, createdAt, host, disabledAt, disabledReason } = account
  const heading = adminWords.details
  return (
    <Panel heading={heading}>
      <Facts
        label={heading}
        facts={[
          { label: basicWords.fields.defaultCurrency, value: defaultCurrency.toUpperCase() },
          { label: fieldWords.timeZone, value: formatZone(timeZone) },
          { label: fieldWords.created, value: formatDateAt(createdAt, timeZone) },
          ...(host
            ? [
                { label: adminWords.host, value: host.name },
                { label: adminWords.hostState, value: hostWords.badges[host.state] },
              ]
            : []),
          disabledAt && { label: adminWords.disabledOn, value: formatDateAt(disabledAt, timeZone) },
          disabledReason && { label: fieldWords.reason, value: disabledReason },
        ]}
      />
    </Panel>
  )
}

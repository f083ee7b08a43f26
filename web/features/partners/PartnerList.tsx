import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type Partner, partnerStates } from '#contract/partners.ts'
import { type DataColumn, DataTable, type TableFilter } from '../../ui/DataTable.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { DoneIcon, PartnersIcon } from '../../ui/icons.tsx'
import { Count, Money } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { PartnerFilter } from '../../ui/PartnerPicker.tsx'
import { StatusBadge, statusLabel } from '../../ui/StatusBadge.tsx'
import { useTable } from '../../ui/useTable.ts'
import { t } from '../../words.ts'
import { useAccount, useRole } from '../shell/current.ts'
import styles from './Partners.module.css'
import { partners, partnerTable } from './queries.ts'

export function PartnerList() {
  const role = useRole()!
  const account = useAccount()
  const router = useRouter()
  const table = useTable(partnerTable)
  const answer = useQuery(partners(role, table.query))
  const owns = role.type === 'account-owner'
  const add = (owns || account.invitationsFromPartners) && (
    <AddButton go={{ to: '/partners/new' }}>{t('pages.addPartner')}</AddButton>
  )
  return (
    <Page heading={t('pages.partners')} actions={add}>
      <DataTable
        name={t('pages.partners')}
        plural={t('partners.plural')}
        table={table}
        answer={answer}
        columns={columnsFor(owns)}
        keyOf={({ id }) => id}
        nameOf={({ displayName }) => displayName}
        filters={filtersFor(owns ? account.id : null)}
        empty={{
          icon: <PartnersIcon />,
          hint: t(owns ? 'partners.noneYet' : 'partners.noneYetOfPartner'),
          action: add,
        }}
        actions={
          owns
            ? ({ id }) => [
                {
                  label: t('partners.edit'),
                  run: () => router.navigate({ to: '/partners/$partnerId/update', params: { partnerId: id } }),
                },
                {
                  label: t('partners.addSubPartner'),
                  run: () => router.navigate({ to: '/partners/new', search: { parent: id } as never }),
                },
              ]
            : undefined
        }
      />
    </Page>
  )
}

function filtersFor(accountId: string | null): TableFilter[] {
  const status: TableFilter = {
    name: 'state',
    label: t('partners.status'),
    choices: partnerStates.map((state) => ({ value: state, label: statusLabel('partner', state) })),
  }
  if (!accountId) return [status]
  const parent: TableFilter = {
    name: 'parentPartnerId',
    label: t('partners.parent'),
    render: (filter) => <PartnerFilter {...filter} accountId={accountId} without={t('partners.topLevel')} />,
  }
  return [status, parent]
}

function columnsFor(owns: boolean): DataColumn<Partner>[] {
  const figures: DataColumn<Partner>[] = [
    {
      head: t('partners.subPartners'),
      numeric: true,
      cell: ({ stats }) => <Count count={stats.numberOfPartners} />,
    },
    { head: t('partners.leads'), numeric: true, cell: ({ stats }) => <Count count={stats.numberOfLeads} /> },
    {
      head: t('partners.sales'),
      numeric: true,
      card: 'figure',
      cell: ({ stats }) => <Count count={stats.numberOfSales} />,
    },
  ]
  const money: DataColumn<Partner>[] = [
    {
      head: t('partners.revenue'),
      numeric: true,
      sort: 'salesRevenue',
      card: 'figure',
      cell: ({ stats }) => <Money amount={stats.salesRevenue} currency={stats.currency} />,
    },
    {
      head: t('partners.share'),
      numeric: true,
      cell: ({ stats }) => <Money amount={stats.salesRevenueShare} currency={stats.currency} />,
    },
    {
      head: t('partners.balanceDue'),
      numeric: true,
      card: 'figure',
      cell: ({ balanceDue, stats }) => <Money strong amount={balanceDue} currency={stats.currency} />,
    },
    {
      head: t('partners.approved'),
      cell: ({ approvedForPayouts }) =>
        approvedForPayouts ? (
          <span className={styles.yes}>
            <DoneIcon size={14} /> {t('partners.yes')}
          </span>
        ) : (
          <span className={styles.muted}>{t('partners.no')}</span>
        ),
    },
  ]
  const earned: DataColumn<Partner> = {
    head: t('partners.share'),
    numeric: true,
    card: 'figure',
    cell: ({ stats }) => <Money amount={stats.salesRevenueShare} currency={stats.currency} />,
  }
  return [
    {
      head: t('partners.name'),
      sort: 'name',
      cell: ({ id, displayName }) => (
        <Link to="/partners/$partnerId" params={{ partnerId: id }}>
          {displayName}
        </Link>
      ),
    },
    {
      head: t('partners.code'),
      card: 'under',
      cell: ({ referralCode }) => <span className={styles.code}>{referralCode}</span>,
    },
    { head: t('partners.status'), card: 'beside', cell: ({ state }) => <StatusBadge of="partner" status={state} /> },
    ...figures,
    ...(owns ? money : [earned]),
    { head: t('partners.invitation'), cell: invitationOf },
  ]
}

/** Only an invitation that somebody still waits for, or has to see to, gets a badge. */
function invitationOf({ invitationStatus }: Partner) {
  if (!invitationStatus) return <span className={styles.muted}>{t('absent')}</span>
  if (invitationStatus === 'accepted') {
    return <span className={styles.muted}>{statusLabel('invitation', invitationStatus)}</span>
  }
  return <StatusBadge of="invitation" status={invitationStatus} />
}

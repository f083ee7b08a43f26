import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Role } from '#contract/auth.ts'
import { downloadPartners, type listPartners, type Partner, partnerStates } from '#contract/partners.ts'
import type { SearchOf } from '../../calls.ts'
import { useAccount, useAccountRole } from '../../shell/current.ts'
import { DataTable, type FilterOf } from '../../ui/DataTable.tsx'
import { DaysFilter } from '../../ui/DateRange.tsx'
import { DownloadCsv } from '../../ui/DownloadCsv.tsx'
import { AddButton } from '../../ui/GoButton.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { PartnerFilter } from '../../ui/PartnerPicker.tsx'
import { statusLabel } from '../../ui/StatusBadge.tsx'
import { useSelection } from '../../ui/selection.ts'
import { type TableState, useTable } from '../../ui/useTable.ts'
import { t } from '../../words.ts'
import { useBulkActs } from './bulk.tsx'
import { columnsFor } from './columns.tsx'
import { partners, partnerTable } from './queries.ts'

/** Another role's list starts with nothing selected. */
export function PartnerList() {
  const role = useAccountRole()
  return <List key={JSON.stringify(role)} role={role} />
}

function List({ role }: { role: Role }) {
  const account = useAccount()
  const router = useRouter()
  const table = useTable(partnerTable(role))
  const answer = useQuery(partners(role, table.query))
  const owns = role.type === 'account-owner'
  const selection = useSelection<Partner>(({ id }) => id)
  const bulk = useBulkActs(selection)
  const add = (owns || account.invitationsFromPartners) && (
    <AddButton go={{ to: '/partners/new' }}>{t('pages.addPartner')}</AddButton>
  )
  return (
    <Page
      heading={t('pages.partners')}
      actions={
        <>
          {owns && <DownloadCsv endpoint={downloadPartners} params={{ id: role.accountId }} table={table} />}
          {owns && (
            <LinkButton to="/account/import" search={{ kind: 'partners' }}>
              {t('pages.import')}
            </LinkButton>
          )}
          {add}
        </>
      }
    >
      <DataTable
        name={t('pages.partners')}
        plural={t('partners.plural')}
        rowsAre="partners"
        table={table}
        answer={answer}
        columns={columnsFor(owns)}
        keyOf={({ id }) => id}
        nameOf={({ displayName }) => displayName}
        filters={filtersFor(owns ? account : null, table)}
        selection={owns ? selection : undefined}
        bulk={bulk.buttons}
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
                  run: () => router.navigate({ to: '/partners/new', search: { parent: id } }),
                },
              ]
            : undefined
        }
      />
      {bulk.dialog}
    </Page>
  )
}

function filtersFor(
  account: { id: string; timeZone: string } | null,
  table: TableState<SearchOf<typeof listPartners>>,
): FilterOf<typeof listPartners>[] {
  const status: FilterOf<typeof listPartners> = {
    name: 'state',
    label: t('partners.status'),
    choices: partnerStates.map((state) => ({ value: state, label: statusLabel('partner', state) })),
  }
  if (!account) return [status]
  const parent: FilterOf<typeof listPartners> = {
    name: 'parentPartnerId',
    label: t('partners.parent'),
    render: (filter) => <PartnerFilter {...filter} accountId={account.id} without={t('partners.topLevel')} />,
  }
  const label = t('partners.created')
  const { timeZone } = account
  const created: FilterOf<typeof listPartners> = {
    name: 'from',
    label,
    render: () => <DaysFilter {...{ label, table, timeZone }} />,
  }
  return [status, parent, created]
}

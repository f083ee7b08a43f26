import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  type Application,
  applicationStatuses,
  decideApplications,
  downloadApplications,
  type listApplications,
  saveProgram,
} from '#contract/applications.ts'
import { formatAge } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useSelection } from '../../lists/selection.ts'
import { searchText } from '../../lists/table-state.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { ToPartner } from '../../shared/links.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { useStart } from '../../ui/actions.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { PartnersIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Name } from '../../ui/Name.tsx'
import { ActButton, LoadOnUse, toMenuItems } from '../../ui/offers.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { applicationWords as words } from '../../words/applications.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import styles from './Applications.module.css'
import { approve, reject } from './application-acts.ts'
import { applicantName, canApprove, canReject, isOverdue, waitsSince } from './names.ts'
import { applications } from './queries.ts'

const OneApplication = lazyComponent(async () => (await import('./OneApplication.tsx')).OneApplication)

/** The applications of an account; the one named in the address as `application` is open. */
export function ApplicationList() {
  const { id: accountId, timeZone } = useAccount()
  const list = useList(applications({ id: accountId }))
  const { table } = list
  const { params, change } = useAddress()
  const start = useStart()
  const may = usePermission()
  const decides = may(decideApplications)
  const selection = useSelection(applications({ id: accountId }), ({ id }: Application) => id)
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  const toDecide = (some: Application[]) => ({
    accountId,
    applications: some,
    onDecided: () => selection.set(some, false),
  })
  const opened = searchText(params.application)
  return (
    <>
      <OneApplication.OnUse />
      <LoadOnUse acts={[approve]} />
      <DataTable
        name={words.tab}
        page={pageWords.partners}
        plural={words.plural}
        rowsAre="applications"
        list={list}
        csv={{ endpoint: downloadApplications, atHead: true }}
        columns={columns}
        nameOf={applicantName}
        filters={filters()}
        selection={decides ? selection : undefined}
        selectable={canApprove}
        bulk={
          <>
            <ActButton small look="primary" act={approve} of={toDecide(selection.rows)} />
            <ActButton small look="remove" act={reject} of={toDecide(selection.rows.filter(canReject))} />
          </>
        }
        actions={decides ? (row) => toMenuItems(toDecide([row]), [approve, reject], start) : undefined}
        empty={{
          icon: <PartnersIcon />,
          hint: words.none,
          action: (
            <LinkButton needs={saveProgram} to="/account/settings" search={{ tab: 'program' }}>
              {words.setUp}
            </LinkButton>
          ),
        }}
      />
      {opened && (
        <OneApplication
          key={opened}
          id={opened}
          timeZone={timeZone}
          onClose={() => change({ application: undefined }, { trail: table.trail })}
        />
      )}
    </>
  )
}

const ordered = ['waiting', ...applicationStatuses.filter((status) => status !== 'waiting')] as const

const filters = (): FilterOf<typeof applications>[] => [
  statusFilter('status', fieldWords.status, 'application', ordered),
]

const column = defineColumns<typeof listApplications>()

const columnsIn = (timeZone: string): ColumnOf<typeof listApplications>[] => [
  column.first(['firstName', 'lastName', 'email'], words.applicant, {}, (row) => (
    <Link
      to="."
      search={(before: object) => ({ ...before, application: row.id })}
      state={(before) => before}
      resetScroll={false}
    >
      {applicantName(row)}
    </Link>
  )),
  column.day('appliedAt', words.applied, timeZone, { sort: true }),
  column.of('age', words.age, { short: true, card: 'figure' }, (row) => <Age since={waitsSince(row)} />),
  column.of('flags', words.flags, { card: 'under' }, ({ flags }) =>
    flags.length > 0 ? (
      <span className={`row gap-1 ${styles.flags}`}>
        {flags.map((flag) => (
          <Badge key={flag} tone="needs">
            {words.flag[flag]}
          </Badge>
        ))}
      </span>
    ) : (
      <span className="muted">{basicWords.absent}</span>
    ),
  ),
  column.of('parentPartnerName', words.recruitedBy, { card: 'figure' }, ({ parentPartnerId, parentPartnerName }) =>
    parentPartnerId ? (
      <Name>
        <ToPartner id={parentPartnerId} plain>
          {parentPartnerName}
        </ToPartner>
      </Name>
    ) : (
      <span className="muted">{basicWords.absent}</span>
    ),
  ),
  column.badge('status', fieldWords.status, 'application'),
]

/** How long an application has waited, amber from a day on. */
const Age = ({ since }: { since: string | null }) =>
  since === null ? (
    <span className="muted">{basicWords.absent}</span>
  ) : (
    <span className={isOverdue(since) ? 'strong warning' : undefined}>{formatAge(since)}</span>
  )

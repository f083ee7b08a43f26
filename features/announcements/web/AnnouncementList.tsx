import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { formatShortDateTime } from '#web/format.ts'
import { DataTable } from '#web/lists/DataTable.tsx'
import type { ColumnOf } from '#web/lists/list-types.ts'
import { searchText } from '#web/lists/table-state.ts'
import { useList } from '#web/lists/useList.ts'
import { announce } from '#web/shared/announce-act.ts'
import { defineColumns } from '#web/shared/columns.tsx'
import { Prose } from '#web/shared/Prose.tsx'
import { useAccount } from '#web/shell/current.ts'
import { defineDelete } from '#web/ui/act.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx'
import { type Fact, Facts } from '#web/ui/Facts.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { useAddress } from '#web/ui/useAddress.ts'
import { announcementWords as words } from '#web/words/announcements.ts'
import { basicWords } from '#web/words/basic.ts'
import { dialogWords } from '#web/words/pieces.ts'
import { pageWords } from '#web/words/shell.ts'
import { type Announcement, deleteAnnouncement, downloadAnnouncements, type listAnnouncements } from '../contract.ts'
import { announcements } from './queries.ts'

/** The announcements of an account; the one named in the address as `announcement` is open. */
export function AnnouncementList() {
  const { id: accountId, timeZone } = useAccount()
  const list = useList(announcements({ id: accountId }))
  const { table, answer } = list
  const { params, change } = useAddress()
  const may = usePermission()
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  const opened = searchText(params.announcement)
  const shown = answer.data?.items.find(({ id }) => id === opened)
  return (
    <>
      <DataTable
        name={words.tab}
        page={pageWords.partners}
        plural={words.plural}
        rowsAre="items"
        list={list}
        csv={{ endpoint: downloadAnnouncements, atHead: true }}
        columns={columns}
        nameOf={nameOf}
        actions={may(deleteAnnouncement) ? [DeleteAnnouncement] : undefined}
        empty={{ icon: <MailIcon />, hint: words.none, action: <NewAnnouncementButton /> }}
      />
      {shown && (
        <OneAnnouncement
          key={shown.id}
          announcement={shown}
          timeZone={timeZone}
          onClose={() => change({ announcement: undefined }, { trail: table.trail })}
        />
      )}
    </>
  )
}

const nameOf = ({ subject }: Announcement) => subject

const column = defineColumns<typeof listAnnouncements>()

const columnsIn = (timeZone: string): ColumnOf<typeof listAnnouncements>[] => [
  column.first(['subject', 'body'], words.subject, {}, ({ id, subject }) => (
    <Link
      to="."
      search={(before: object) => ({ ...before, announcement: id })}
      state={(before) => before}
      resetScroll={false}
    >
      {subject}
    </Link>
  )),
  column.day('createdAt', words.sent, timeZone, { sort: true }),
  column.of(
    'sentBy',
    words.by,
    { card: 'under' },
    ({ sentBy }) => sentBy ?? <span className="muted">{basicWords.absent}</span>,
  ),
  column.count('recipients', words.recipients),
  column.count('mailed', words.mailed),
  column.count('turnedOff', words.off),
  column.count('failed', words.failed),
]

/** Opens the dialog 'New announcement', to all active partners. */
export const NewAnnouncementButton = () => (
  <ActButton adds act={announce} of={{ accountId: useAccount().id }}>
    {words.add}
  </ActButton>
)

const DeleteAnnouncement = defineDelete(deleteAnnouncement, ({ subject }: Announcement) => ({
  name: subject,
  resource: words.resource,
  thing: words.thing,
  also: words.deleteWhy,
}))

type Props = { announcement: Announcement; timeZone: string; onClose: () => void }

/** An announcement as it was written, with the status of its mails. */
function OneAnnouncement({ announcement, timeZone, onClose }: Props) {
  const [deleting, setDeleting] = useState(false)
  const { subject, body } = announcement
  if (deleting) return <DeleteAnnouncement of={announcement} onClose={onClose} />
  return (
    <Dialog wide heading={subject} onClose={onClose}>
      <Facts beside label={words.resource} facts={factsOf(announcement, timeZone)} />
      <div className="stack gap-2">
        <Prose text={body} />
      </div>
      <DialogActions>
        <Button data-first-focus onClick={onClose}>
          {dialogWords.close}
        </Button>
        <Button look="remove" needs={deleteAnnouncement} onClick={() => setDeleting(true)}>
          {words.deleteAction}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function factsOf({ createdAt, sentBy, recipients, mailed, turnedOff, failed }: Announcement, timeZone: string): Fact[] {
  return [
    { label: words.sent, value: formatShortDateTime(createdAt, timeZone) },
    sentBy && { label: words.by, value: sentBy },
    { label: words.recipients, value: formatNumber(recipients) },
    { label: words.mailed, value: formatNumber(mailed) },
    { label: words.off, value: formatNumber(turnedOff) },
    { label: words.failed, value: formatNumber(failed) },
  ]
}

import { ids } from '#contract/examples/objects.ts'
import { type FormRow, fixedField, requireFields, tooLong } from '#test/support/form-fields.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import type { SweptScreen } from '#test/support/screens.ts'
import type { AddThing, Limit, World, WorldOfCalls } from '#test/support/sweep.ts'
import { MOST_ANNOUNCEMENTS, MOST_NAMED } from './contract.ts'

const announce = ({ accountId, call }: World, subject: string, body: string) =>
  call('POST', `/accounts/${accountId}/announcements`, { subject, body })

export const things = {
  announcement: (world: World) => announce(world, world.text(100), 'Hello {firstName}'),
} satisfies Record<string, AddThing>

export const shownThings = {
  announcement: (world: World) => announce(world, 'Twice in December', 'Hello {firstName}, sales pay twice.'),
} satisfies Record<string, AddThing>

export const strangeThings = {
  /** One is deleted. */
  async announcement(world: World) {
    const first = await announce(world, '=news', '=1+1')
    await announce(world, "'quoted", '# Zoë "Zo" 👩‍👩‍👧‍👦, Ltd.')
    const gone = await announce(world, 'Taken back', 'Oh')
    await world.call('DELETE', `/announcements/${gone.id}`)
    return first
  },
} satisfies Record<string, AddThing>

export const bodies = {
  sendAnnouncement: ({ partner, parent }: WorldOfCalls) => ({
    subject: 'News',
    body: 'Hello {firstName}',
    translations: { de: { subject: 'Neues', body: 'Hallo {firstName}' } },
    preview: true,
    filter: {
      ids: [partner.id],
      state: ['active'],
      groupId: ['none'],
      parentPartnerId: [parent.id],
      approved: false,
      agreement: ['waiting'],
      externalId: 'x',
      from: '2026-01-01',
      to: '2026-12-31',
      search: 'Ada',
    },
  }),
  readAnnouncements: ({ things }: WorldOfCalls) => ({ upTo: things.announcement }),
}

export const preparations = {
  async deleteAnnouncement({ account, post }: Story) {
    const { id } = await post(`/accounts/${account.id}/announcements`, { subject: 'News', body: 'Hello' })
    return { instead: { [ids.announcement]: id } }
  },
} satisfies Record<string, Prepare>

export const requiredRights = { sendAnnouncement: 'earn', deleteAnnouncement: 'earn' }
export const inPortal = ['listPartnerAnnouncements', 'readAnnouncements']
export const whileInactive = ['readAnnouncements']
export const hiddenFromPartners = ['announcement']
// the sender has no login in another install
export const fieldsOfInstall = { listAnnouncements: ['sentBy'] }

export const screens: SweptScreen[] = [
  {
    role: 'owner',
    path: '/partners?tab=announcements',
    h1: 'Partners',
    title: 'Announcements · Partners',
    isTab: true,
    buttons: ['New announcement', 'Download CSV'],
    labels: ['Search announcements'],
    rows: { 'Twice in December': ['Delete'] },
    lacks: ['Add partner', 'Import'],
    dialogs: { 'New announcement': ['Subject', 'Message'] },
  },
]
export const emptyScreens: [path: string, h1: string][] = [['/partners?tab=announcements', 'Partners']]

export const forms: FormRow[] = [
  {
    name: 'announcement',
    who: 'owner',
    path: '/partners?search=whitfield',
    h1: 'Partners',
    open: 'Announce',
    submit: 'Preview',
    fields: {
      Subject: fixedField(
        'subject',
        '<b>שלום</b> =1+1 👩‍👩‍👧‍👦',
        ['a\u0000b', 'Remove unsupported characters'],
        tooLong(100),
      ),
      Message: fixedField('body', '# <script>window.__run=1</script>', tooLong(5000)),
    },
    nothing: requireFields('Subject', 'Message'),
    done: 'Send to 1 partner',
    said: 'Sent to 1 partner',
  },
]

export const limits: Limit[] = [
  { table: 'have', row: ['announcements of a day', `${MOST_ANNOUNCEMENTS}`], refusals: ['announcements_today'] },
  { table: 'atOnce', row: ['partners chosen for an announcement', MOST_NAMED.toLocaleString('en-US')] },
  { table: 'written', row: ['an announcement', 'sendAnnouncement'] },
]

import type { MappedColumn } from '#contract/imports.ts'
import { openFile } from '../server/integrations/imports/open-file.ts'
import { startImport } from '../server/integrations/imports/start-import.ts'
import { createIncomingWebhook as createIncoming } from '../server/integrations/incoming-webhooks/webhooks.ts'
import { createOutgoingWebhook as createOutgoing } from '../server/integrations/outgoing-webhooks/webhooks.ts'
import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import type { FrontDoor } from './demo-server.ts'
import { workOff } from './drain-jobs.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Plans the exchange with other systems: a file of older leads, a form's sign-ups, and an unreachable warehouse. */
export function planOtherSystems(story: Story, harbor: Harbor, door: FrontDoor) {
  const { course } = story
  course.alone(toMoment(story, IMPORTED), () => importOlderLeads(story, harbor))
  course.alone(toMoment(story, SIGN_UPS), () => openSignUps(story, harbor, door))
  course.alone(toMoment(story, 2.5), () => connectWarehouse(story, harbor))
}

const IMPORTED = 338
const SIGN_UPS = 44

const mapping: MappedColumn[] = (
  [
    ['firstName', 'First Name'],
    ['lastName', 'Last Name'],
    ['email', 'Email'],
    ['company', 'Company'],
    ['referralCode', 'Partner Code'],
  ] as const
).map(([field, column]) => ({ field, column, transform: 'none', default: null }))

/**
 * Imports leads from an older CRM: most rows are valid, one is a duplicate, one has no address and one an unknown code.
 */
async function importOlderLeads({ services }: Story, { account, owner }: Harbor) {
  const codes = ['marcus-o', 'priya', 'tomas', 'sofia']
  const rows = Array.from({ length: 32 }, (_, at) => {
    const company = `Older Customer ${at + 1}`
    return ['Robin', `Older ${at + 1}`, `robin@older-customer-${at + 1}.example`, company, codes[at % codes.length]]
  })
  rows.push(
    rows[4]!,
    ['Sam', 'Nowhere', 'sam at nowhere', 'Nowhere Ltd', 'priya'],
    ['Kit', 'Unknown', 'kit@unknown-code.example', 'Unknown Ltd', 'nobody'],
  )
  const csv = [mapping.map(({ column }) => column), ...rows].map((row) => row.join(',')).join('\r\n')
  const file = await openFile({ csv })
  await transaction(services.db, (tx) =>
    startImport(tx, services.jobs, userAuthor(owner), account, file, {
      kind: 'leads',
      format: 'csv',
      mapping,
      dryRun: false,
    }),
  )
  await workOff(services)
}

/** A webinar's sign-ups come by an incoming webhook; a few are invalid. */
async function openSignUps(story: Story, { id, owner }: Harbor, door: FrontDoor) {
  const { services, course } = story
  const { url } = await transaction(services.db, (tx) =>
    createIncoming(tx, services, userAuthor(owner), id, {
      name: 'Webinar sign-ups',
      target: 'lead',
      enabled: true,
      auth: { type: 'url-secret' },
      mapping: [
        { field: 'firstName', path: 'attendee.first', transform: 'trim', default: null },
        { field: 'lastName', path: 'attendee.last', transform: 'trim', default: null },
        { field: 'email', path: 'attendee.email', transform: 'lowercase', default: null },
      ],
      partnerMatch: { by: 'referralCode', path: 'invitedBy' },
      filters: [],
      dedupePath: null,
      allowedIps: [],
    }),
  )
  const invitedBy = ['priya', 'tomas', 'marcus-o']
  for (let number = 1, day = SIGN_UPS - 2; day > 0; number++, day -= 3) {
    const email = number % 6 === 0 ? '' : `Attendee-${number}@Webinar.example`
    const attendee = { first: ' Alex', last: `Attendee ${number}`, email }
    const payload = JSON.stringify({ attendee, invitedBy: invitedBy[number % invitedBy.length] })
    course.alone(toMoment(story, day), () => door.deliver(url!, payload))
  }
}

/** Adds a webhook whose receiver does not respond; the owner is notified. */
async function connectWarehouse({ services }: Story, { id, owner }: Harbor) {
  await transaction(services.db, (tx) =>
    createOutgoing(tx, services, userAuthor(owner), id, {
      name: 'Data warehouse',
      url: 'https://warehouse.harbor.example/tributary',
      format: 'json',
      events: ['*'],
      headers: {},
      enabled: true,
    }),
  )
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { anAccount, startApp, type TestApp, turnableClock } from '../../../test/support/app.ts'
import { aSlug } from '../../../test/support/applications.ts'
import { listSeeds, type Random, randomFrom, settleOutcome } from '../../../test/support/model-test.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { type AccountFacts, getAccountFacts } from '../access/account-facts.ts'
import { createGroup, deleteGroup } from '../groups/groups.ts'
import { createPartner } from '../partners/create-partner.ts'
import { confirmToken } from './application-link.ts'
import { answerPosted, postApplication } from './apply.ts'
import { confirmApplication } from './confirm.ts'
import { decideApplications } from './decide.ts'
import { deleteOldApplications } from './delete-old-applications.ts'
import { saveProgram } from './program.ts'

// People who apply to groups, confirm and apply again while a person decides, groups are made and deleted, partners are
// made by hand and nights pass, by two processes: each step ends as in a plain model. The seed of a failure
// is in its message; SEED and RUNS try others.

const STEPS = 70
const PEOPLE = 3
const HOUR = 3_600_000
const DAY = 24 * HOUR
const RAW_DATA_DAYS = 30

type Group = { id: string; deleted: boolean }
type Applied = {
  id: string
  person: number
  group: Group | null
  at: number
  asked: boolean
  status: 'unconfirmed' | 'waiting' | 'approved' | 'rejected'
  decidedAt: number
  partnerId: string | null
  emptied: boolean
  forgotten: boolean
}
type Model = {
  applied: Applied[]
  /** The partner of each person, if any; with the group they joined. */
  partners: Map<number, { state: 'active' | 'suspended'; group: Group | null }>
  groups: Group[]
  reapply: 0 | 30 | 90 | null
  auto: boolean
}

const dayOf = (at: number) => dayIn('UTC', new Date(at))

/** Whether a person may apply now, and is a partner. */
function standing({ applied, partners, reapply }: Model, person: number, now: number) {
  if (partners.get(person)?.state === 'active') return 'partner'
  const own = applied.filter((one) => one.person === person)
  if (own.some(({ status }) => status === 'waiting')) return 'known'
  const last = Math.max(
    0,
    ...own.filter((one) => one.status === 'rejected' && !one.forgotten).map((one) => one.decidedAt),
  )
  if (last === 0) return 'new'
  return reapply !== null && dayOf(now) >= addDays(dayOf(last), reapply) ? 'new' : 'known'
}

class Life {
  readonly #model: Model = {
    ...{ applied: [], partners: new Map(), groups: [], reapply: 30, auto: false },
  }
  readonly #emails = Array.from({ length: PEOPLE }, () => `${randomBytes(6).toString('hex')}@mail.example`)
  readonly #random: Random
  readonly #apps: TestApp[]
  readonly #account: AccountFacts

  constructor(random: Random, apps: TestApp[], account: AccountFacts) {
    this.#random = random
    this.#apps = apps
    this.#account = account
  }

  get #now() {
    return this.#apps[0]!.clock.now().getTime()
  }

  #services() {
    return this.#random.pick(this.#apps).services
  }

  async step(): Promise<string> {
    const random = this.#random
    const step = random.below(100)
    if (step < 25) return this.#apply(random.below(PEOPLE))
    if (step < 45) return this.#confirm()
    if (step < 70) return this.#decide()
    if (step < 74) return this.#byHand(random.below(PEOPLE))
    if (step < 77) return this.#suspend(random.below(PEOPLE))
    if (step < 82) return this.#save()
    if (step < 86) return this.#changeGroups()
    if (step < 90) return this.#night()
    const hours = random.pick([1, 30, 24 * 8, 24 * 31])
    this.#apps[0]!.clock.advance(hours * HOUR)
    return `${hours} hours later`
  }

  async #apply(person: number) {
    const services = this.#services()
    const given = { firstName: 'Ada', lastName: `P${person}`, email: this.#emails[person]!, answers: [], by: null }
    const address = `10.${this.#random.below(256)}.${this.#random.below(256)}.${this.#random.below(256)}`
    const group = this.#someGroup()
    const mayConfirm = standing(this.#model, person, this.#now) === 'new'
    const id = await transaction(services.db, (tx) =>
      postApplication(tx, services, this.#account, {
        ...given,
        agreement: null,
        groupId: group?.id ?? null,
        automatic: false,
        language: 'en',
        address,
      }),
    )
    await answerPosted(services, { accountId: this.#account.id, id })
    await answerPosted(this.#services(), { accountId: this.#account.id, id })
    const log = await services.db.many<{ type: string }>`
      select type from passing_events where account_id = ${this.#account.id} and data ->> 'applicationId' = ${id}`
    assert.deepEqual(
      log.map(({ type }) => type),
      [mayConfirm ? 'application.confirmation-asked' : 'application.applicant-known'],
    )
    const fresh = { status: 'unconfirmed', decidedAt: 0, partnerId: null, emptied: false, forgotten: false } as const
    this.#model.applied.push({ ...fresh, id, person, group, at: this.#now, asked: mayConfirm })
    return `person ${person} applies`
  }

  /** A group that was not deleted; null for the default one. */
  #someGroup() {
    return this.#random.pick([null, ...this.#model.groups.filter(({ deleted }) => !deleted)])
  }

  async #changeGroups() {
    const { groups, partners } = this.#model
    const { db } = this.#services()
    const account = this.#account.id
    const group = this.#someGroup()
    if (group) {
      const isEmpty = [...partners.values()].every((partner) => partner.group !== group)
      const outcome = await settleOutcome(transaction(db, (tx) => deleteGroup(tx, system, account, group.id)))
      assert.equal(outcome, isEmpty ? 'done' : 'in_use')
      group.deleted = isEmpty
      return `a group is deleted: ${outcome}`
    }
    const fields = { name: `Group ${groups.length}`, joinSlug: `group-${groups.length}` }
    const { id } = await transaction(db, (tx) => createGroup(tx, system, account, fields))
    groups.push({ id, deleted: false })
    return 'a group is made'
  }

  async #confirm() {
    const mayConfirm = this.#model.applied.filter((one) => one.asked)
    if (mayConfirm.length === 0) return 'nothing to confirm'
    const one = this.#random.pick(mayConfirm)
    const expected = this.#confirmed(one)
    const { secrets } = this.#services()
    const token = confirmToken(secrets, { accountId: this.#account.id, id: one.id })
    const press = async ({ services }: TestApp) => {
      let status: string | undefined
      const outcome = await settleOutcome(
        transaction(services.db, async (tx) => {
          status = (await confirmApplication(tx, services, token)).status
        }),
      )
      return status ?? outcome
    }
    const outcomes = await Promise.all((this.#random.chance(40) ? this.#apps : [this.#apps[0]!]).map(press))
    assert.deepEqual([...new Set(outcomes)], [expected], `confirming one of person ${one.person}`)
    return `person ${one.person} confirms: ${expected}`
  }

  /** Confirms in the model, and returns the answer. */
  #confirmed(one: Applied) {
    const { applied, partners, auto } = this.#model
    if (!applied.includes(one) || one.emptied || this.#now >= one.at + 7 * DAY) return 'token_expired'
    if (one.status === 'approved') return 'approved'
    if (one.status !== 'unconfirmed') return 'waiting'
    const is = standing(this.#model, one.person, this.#now)
    if (is === 'partner') return 'duplicate'
    if (is !== 'new') return 'token_expired'
    one.status = 'waiting'
    this.#model.applied = applied.filter(
      (other) => other === one || other.person !== one.person || other.status !== 'unconfirmed',
    )
    if (!auto || partners.has(one.person) || one.group?.deleted) return 'waiting'
    Object.assign(one, { status: 'approved', decidedAt: this.#now })
    partners.set(one.person, { state: 'active', group: one.group })
    return 'approved'
  }

  async #decide() {
    if (this.#model.applied.length === 0) return 'nothing to decide'
    const one = this.#random.pick(this.#model.applied)
    const decision = this.#random.pick(['approve', 'reject'] as const)
    const apps = this.#random.chance(40) ? this.#apps : [this.#apps[0]!]
    const chosen = this.#random.chance(30) ? { group: this.#someGroup() } : undefined
    const expected = decision === 'approve' ? this.#approved(one, chosen) : this.#rejected(one)
    const results = await Promise.all(
      apps.map(async ({ services }) => {
        const rows = await decideApplications(services.db, services, system, this.#account, {
          ...{ ids: [one.id, one.id], decision, silent: this.#random.chance(50), message: null },
          ...(decision === 'reject'
            ? { reason: 'other' }
            : chosen && { groupId: chosen.group?.id ?? this.#account.id }),
        })
        return rows.map(({ error, partnerId }) => error?.code ?? partnerId ?? 'done')
      }),
    )
    const answers = [...new Set(results.flat())]
    assert.equal(answers.length, 1, `${decision}: ${answers}`)
    if (expected === 'partner') {
      assert.ok(one.partnerId === null || one.partnerId === answers[0])
      one.partnerId = answers[0]!
    } else assert.equal(answers[0], expected)
    return `${decision} ${one.status} of person ${one.person}: ${answers[0]}`
  }

  #approved(one: Applied, chosen: { group: Group | null } | undefined) {
    const { group } = chosen ?? one
    if (one.status === 'unconfirmed') return 'invalid_state'
    if (one.status === 'approved') return 'partner'
    if (one.emptied) return 'invalid_state'
    if (this.#model.partners.has(one.person)) return 'duplicate'
    if (group?.deleted) return 'validation_failed'
    Object.assign(one, { status: 'approved', decidedAt: this.#now, group })
    this.#model.partners.set(one.person, { state: 'active', group })
    return 'partner'
  }

  #rejected(one: Applied) {
    if (one.status === 'unconfirmed' || one.status === 'approved') return 'invalid_state'
    if (one.status === 'waiting') Object.assign(one, { status: 'rejected', decidedAt: this.#now })
    return 'done'
  }

  async #byHand(person: number) {
    const { partners } = this.#model
    const services = this.#services()
    const access = { as: 'owner', account: this.#account, subjectId: this.#account.id, partnerId: null } as const
    const outcome = await settleOutcome(
      transaction(services.db, (tx) =>
        createPartner(tx, services, system, access, {
          ...{ firstName: 'By', lastName: 'Hand', email: this.#emails[person]!, sendInvitation: false },
        }),
      ),
    )
    assert.equal(outcome, partners.has(person) ? 'duplicate' : 'done')
    if (!partners.has(person)) partners.set(person, { state: 'active', group: null })
    return `person ${person} by hand: ${outcome}`
  }

  async #suspend(person: number) {
    const partner = this.#model.partners.get(person)
    if (partner?.state !== 'active') return 'nobody to suspend'
    await this.#services().db.run`
      update partners set state = 'suspended' where account_id = ${this.#account.id} and email = ${this.#emails[person]!}`
    partner.state = 'suspended'
    return `person ${person} is suspended`
  }

  async #save() {
    const change = {
      reapplyAfterDays: this.#random.pick([0, 30, 90, null] as const),
      autoApprove: this.#random.chance(30),
    }
    const services = this.#services()
    await transaction(services.db, (tx) => saveProgram(tx, services.config, system, this.#account, change))
    this.#model.reapply = change.reapplyAfterDays
    this.#model.auto = change.autoApprove
    return JSON.stringify(change)
  }

  async #night() {
    await Promise.all(this.#apps.map(({ services }) => deleteOldApplications(this.#account, services)))
    const model = this.#model
    const older = (at: number, days: number) => at < this.#now - days * DAY
    model.applied = model.applied.filter((one) => one.status !== 'unconfirmed' || !older(one.at, 7))
    for (const one of model.applied.filter(({ status }) => status === 'rejected')) {
      one.emptied ||= older(one.decidedAt, RAW_DATA_DAYS)
      one.forgotten ||= model.reapply !== null && older(one.decidedAt, Math.max(model.reapply, RAW_DATA_DAYS))
    }
    return 'a night passes'
  }

  /** Compares the rows with the model. */
  async check() {
    const { db } = this.#services()
    type Row = { id: string; status: string; emptied: boolean; partnerId: string | null; groupId: string | null }
    const rows = await db.many<Row>`
      select id, status, email is null and first_name is null and answers = '[]' as emptied, partner_id, group_id
      from applications where account_id = ${this.#account.id}`
    const found = new Map(rows.map(({ id, status, emptied, groupId }) => [id, `${status} ${emptied} ${groupId}`]))
    const expected = new Map(
      this.#model.applied.map(({ id, status, emptied, group }) => [id, `${status} ${emptied} ${group?.id ?? null}`]),
    )
    assert.deepEqual(found, expected)
    const partnerIds = rows.flatMap(({ partnerId }) => partnerId ?? [])
    assert.equal(new Set(partnerIds).size, partnerIds.length)
    const partners = await db.many<{ email: string; groupId: string | null }>`
      select email, group_id from partners where account_id = ${this.#account.id}`
    assert.deepEqual(
      new Map(partners.map(({ email, groupId }) => [email, groupId])),
      new Map([...this.#model.partners].map(([person, { group }]) => [this.#emails[person]!, group?.id ?? null])),
    )
  }
}

test('applications end as in a plain model, in any order of acts', async () => {
  const clock = turnableClock('2026-11-26T10:00:00Z')
  const secretKey = randomBytes(32)
  const keeping = await startApp({ clock, config: { secretKey } })
  const config = { secretKey, smtpUrl: 'smtp://127.0.0.1:9' }
  const { db } = keeping.services
  const apps = [await startApp({ clock, db, config }), await startApp({ clock, db, config })]
  for (const seed of listSeeds(2)) {
    const { id } = await anAccount(keeping, { retention: { rawDataDays: RAW_DATA_DAYS } })
    const account = (await getAccountFacts(db, [id])).get(id)!
    const change = { state: 'open', slug: aSlug() } as const
    await transaction(db, (tx) =>
      saveProgram(tx, keeping.services.config, system, { id, portalHost: null, language: 'en' }, change),
    )
    const life = new Life(randomFrom(seed), apps, account)
    const log: string[] = []
    try {
      for (let step = 0; step < STEPS; step++) {
        log.push(await life.step())
        await life.check()
      }
    } catch (error) {
      throw new Error(`seed ${seed} after ${log.join('; ')}: ${(error as Error).message}`, { cause: error })
    }
  }
})

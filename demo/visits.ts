import { newId } from '../server/platform/database/ids.ts'
import { visitorHash } from '../server/platform/http/visitor-hash.ts'
import { dayIn } from '../server/platform/time/days.ts'
import { recordClicks } from '../server/program/clicks/record-clicks.ts'
import type { Blueprint } from './harbor.ts'
import type { OwnLink } from './own-links.ts'
import { type Person, people } from './people.ts'
import { FIRST_DAY, type Harbor, type Story, timeOn, trafficFactor } from './story.ts'

export type Visit = { id: string; at: Date; path: string; referrerHost: string | null }

/** Visits in the twelve months. */
const VISITS = 45_000
/** Part of the visitors who come back within the hour. */
const AGAIN = 0.12

const referrers = [
  ...['newsletter.example', 'www.google.com', 'www.linkedin.com', 'blog.whitfield.example', 't.co'],
  ...['podcastnotes.example', 'saascompare.example', null, null],
]

type Counted = Parameters<typeof recordClicks>[1][number]

/** Plans to count the visits of each day at its end; returns each partner's visits so far by code, in order. */
export function planVisits(
  story: Story,
  harbor: Harbor,
  blueprints: Blueprint[],
  ownLinks: Map<string, OwnLink[]>,
): Map<string, Visit[]> {
  const visits = new Map<string, Visit[]>(people.map(({ code }) => [code, []]))
  const days = Array.from({ length: FIRST_DAY }, (_, index) => FIRST_DAY - index)
  const all = days.reduce((sum, day) => sum + trafficFactor(story, day), 0)
  for (const day of days) {
    const part = (VISITS * story.scale * trafficFactor(story, day)) / all
    const night = new Date(story.before(day - 1).getTime() - 60_000)
    story.course.at(night, async (tx) => {
      const clicks = visitsOf(story, harbor, blueprints, day, Math.round(part * story.random.between(0.85, 1.15)))
      for (const visit of clicks) assignOwnLink(visit, ownLinks.get(visit.code) ?? [])
      await recordClicks(
        tx,
        clicks.map(({ click }) => click),
      )
      for (const { code, click, path } of clicks)
        if (!click.isBot) visits.get(code)!.push({ id: click.id, at: click.at, referrerHost: click.referrerHost, path })
    })
  }
  return visits
}

type Planned = Pick<Visit, 'path'> & { code: string; click: Counted }

/** Two in five visitors on a partner's template come by the link that the partner added to it. */
function assignOwnLink(visit: Planned, links: OwnLink[]) {
  const link = links.find(({ blueprintId }) => blueprintId === visit.click.blueprintId)
  if (!link || Number(visit.click.ipHash! % 5n) % 5 > 1) return
  visit.path = link.path
  visit.click = { ...visit.click, linkId: link.id, subId: link.subId, landingPath: link.path }
}

function visitsOf(story: Story, harbor: Harbor, blueprints: Blueprint[], day: number, number: number) {
  const { random } = story
  const promoting = people.filter((person) => refersOn(person, day))
  const offered = blueprints.filter(({ until }) => day > until)
  const visits: Planned[] = []
  while (visits.length < number) {
    const before = visits.length > 0 && random.chance(AGAIN) ? random.pick(visits) : undefined
    if (before) {
      const at = new Date(before.click.at.getTime() + random.whole(1, 50) * 60_000)
      visits.push({ ...before, click: { ...before.click, id: newId(), at } })
      continue
    }
    const { code } = random.weighted(promoting, ({ weight }) => weight)
    const blueprint = random.weighted(offered, ({ weight }) => weight)
    visits.push({ code, path: blueprint.path, click: visit(story, harbor, code, blueprint, day) })
  }
  return visits.sort((a, b) => a.click.at.getTime() - b.click.at.getTime())
}

/** Whether a partner refers on that day: has joined and had a day to accept, and is neither suspended nor archived. */
export const refersOn = ({ weight, joined, suspended, archived }: Person, day: number) =>
  weight > 0 && joined > day + 2 && !(suspended && day <= suspended.days) && !(archived && day <= archived.days)

const countries = ['US', 'US', 'US', 'US', 'CA', 'GB', 'DE']

function visit(story: Story, harbor: Harbor, code: string, blueprint: Blueprint, day: number): Counted {
  const { random, services } = story
  const { id: accountId, account } = harbor
  const at = timeOn(story, day)
  const isBot = random.chance(0.03)
  const address = `198.51.${random.whole(0, 255)}.${random.whole(1, 254)}`
  const ipHash = visitorHash(services.secrets, address, at)
  return {
    id: newId(),
    accountId,
    blueprintId: blueprint.id,
    partnerId: harbor.partners.get(code)!,
    day: dayIn(account.timeZone, at),
    at,
    ipHash,
    country: countries[Math.abs(Number(ipHash % 10n)) % countries.length]!,
    userAgentClass: isBot ? 'bot' : random.weighted(['desktop', 'mobile', 'tablet'], (name) => name.length),
    referrerHost: random.pick(referrers),
    landingPath: blueprint.path,
    linkId: null,
    subId: null,
    paidParameters: null,
    isBot,
    source: 'redirect',
  }
}

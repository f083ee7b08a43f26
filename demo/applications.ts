import type { NewApplication, ProgramChange } from '#contract/applications.ts'
import { userAuthor } from '../server/platform/author.ts'
import { createApplication } from '../server/program/applications/apply.ts'
import { decideApplications } from '../server/program/applications/decide.ts'
import { saveProgram } from '../server/program/applications/program.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Days before today at which the program's page was opened. */
const OPENED = 20
const DAY_HOURS = 24

const program: ProgramChange = {
  state: 'open',
  slug: 'harbor-analytics',
  headline: 'Earn with Harbor Analytics',
  text: [
    'Harbor Analytics shows small online shops where their sales come from, without cookies.',
    '# Who fits',
    '- Agencies that build shops\n- Writers and teachers of e-commerce\n- Customers who tell their friends',
    'We answer within two working days. Read more at https://harbor.example/partners.',
  ].join('\n\n'),
  rules: '- No ads on our name\n- No coupons of your own',
  questions: [
    { label: 'Your website', kind: 'url', required: true, choices: [], translations: {} },
    {
      label: 'Where will you mention us?',
      kind: 'choice',
      required: true,
      choices: ['Blog', 'Newsletter', 'Video', 'Client work'],
      translations: {},
    },
    { label: 'Do you use Harbor yourself?', kind: 'yes-no', required: false, choices: [], translations: {} },
  ],
}

type Applicant = { hours: number; name: string; answers: string[]; by?: string; unconfirmed?: true; rejected?: true }

/** By hours before today; the oldest that waits is 26. */
const applicants: Applicant[] = [
  { hours: 9 * DAY_HOURS, name: 'Victor Lane', answers: ['https://deals.example/', 'Blog', 'No'], rejected: true },
  { hours: 26, name: 'Ines Duarte', answers: ['https://lojas.example/', 'Newsletter', 'Yes'], by: 'jane' },
  { hours: 19, name: 'Oscar Lindgren', answers: ['https://shopcraft.example/', 'Client work', 'Yes'] },
  { hours: 7, name: 'Mei Tan', answers: ['https://tinyshop.example/', 'Video'], unconfirmed: true },
  { hours: 2, name: 'Tom Becker', answers: ['https://becker.example/', 'Blog', 'No'] },
]

/** Plans the opening of the program's page, and those who apply since. */
export function planApplications(story: Story, { id, account, owner }: Harbor) {
  const { course, services, before } = story
  course.at(toMoment(story, OPENED), (tx) =>
    saveProgram(tx, services.config, userAuthor(owner), { id, portalHost: null, language: 'en' }, program),
  )
  for (const applicant of applicants) {
    const { hours, rejected } = applicant
    let applicationId = ''
    course.at(before(hours / DAY_HOURS), async (tx) => {
      const made = await createApplication(tx, services, account, filledIn(applicant))
      applicationId = made.id
    })
    if (rejected)
      course.alone(before((hours - 3) / DAY_HOURS), () =>
        decideApplications(services.db, services, userAuthor(owner), account, {
          ids: [applicationId],
          decision: 'reject',
          reason: 'policy',
          silent: false,
          message: 'We work without coupon sites.',
        }),
      )
  }
}

function filledIn({ name, answers, by, unconfirmed }: Applicant): NewApplication {
  const [firstName = '', lastName = ''] = name.split(' ')
  return {
    firstName,
    lastName,
    email: `${firstName}@${lastName}.example`.toLowerCase(),
    by,
    answers: answers.map((value, at) => ({ label: program.questions![at]!.label, value })),
    emailConfirmed: !unconfirmed,
  }
}

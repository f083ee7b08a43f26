import type * as room from '../applications.ts'
import type { ExamplesOf } from './example.ts'
import { APP, account, ids, onlyPage } from './objects.ts'

const program: room.Program = {
  state: 'open',
  slug: 'acme',
  url: `${APP}/join/acme`,
  headline: 'Earn with Acme',
  text: 'Acme plans the shifts of small teams.\n\n# Who fits\n\n- Bookkeepers\n- Agencies with a blog of their own',
  rules: '- No ads on our name',
  translations: {
    de: { headline: 'Mit Acme verdienen', text: 'Acme plant die Schichten kleiner Teams.', rules: '' },
  },
  questions: [
    { label: 'Your website', kind: 'url', required: true, choices: [], translations: {} },
    {
      label: 'Where will you mention us?',
      kind: 'choice',
      required: true,
      choices: ['Blog', 'Newsletter', 'Video'],
      translations: { de: { label: 'Wo erwähnen Sie uns?', choices: ['Blog', 'Newsletter', 'Video'] } },
    },
  ],
  autoApprove: false,
  reapplyAfterDays: 30,
  indexed: true,
}

/** Recruited by Jane, it waits. */
export const application: room.Application = {
  id: ids.application,
  accountId: ids.account,
  status: 'waiting',
  firstName: 'Sam',
  lastName: 'Ortiz',
  email: 'sam@ortiz.example',
  answers: [
    { label: 'Your website', value: 'https://ortiz.example/' },
    { label: 'Where will you mention us?', value: 'Newsletter' },
  ],
  language: 'de',
  flags: ['customer'],
  parentPartnerId: ids.partner,
  parentPartnerName: 'Jane Whitfield',
  parentProblem: null,
  groupId: null,
  groupName: null,
  groupProblem: null,
  agreementVersion: 2,
  reason: null,
  message: null,
  appliedAt: '2026-07-28T08:51:07.044Z',
  confirmedAt: '2026-07-28T08:53:40.518Z',
  decidedAt: null,
  decidedBy: null,
  partnerId: null,
}

const decided = { ...application, decidedAt: '2026-07-28T15:10:22.907Z', decidedBy: 'Elena Marsh' }
export const approvedApplication: room.Application = { ...decided, status: 'approved', partnerId: ids.subPartner }
export const rejectedApplication: room.Application = {
  ...decided,
  status: 'rejected',
  reason: 'incomplete',
  message: 'Please tell us more about your newsletter.',
}

const { firstName, lastName, email, answers } = application as room.Application & {
  firstName: string
  lastName: string
  email: string
}

export const joining: ExamplesOf<typeof room> = {
  getProgram: { reply: program },
  saveProgram: {
    refused: ['language_of_texts', 'program_without_slug', 'slug_taken', 'too_many_slugs'],
    body: {
      state: 'open',
      slug: program.slug!,
      translations: program.translations,
      questions: program.questions,
      indexed: true,
    },
    reply: program,
  },
  previewProgram: {
    refused: ['language_of_texts'],
    body: { state: 'open', headline: 'Earn with Acme', text: 'For people who write about tools.' },
    reply: { html: '<!doctype html>…', style: 'body{margin:0}…' },
  },
  getApplicationToConfirm: {
    refused: ['link_expired'],
    reply: {
      accountName: 'Acme',
      accountPublicId: account.publicId,
      firstName,
      lastName,
      email,
      answers,
      invitedBy: 'Jane',
      status: 'unconfirmed',
    },
  },
  confirmApplication: {
    refused: ['applications_full', 'link_expired', 'partner_email_taken'],
    reply: { status: 'waiting', setUpToken: null },
  },
  listApplications: { query: { status: 'waiting', sort: '-appliedAt' }, reply: onlyPage(application) },
  createApplication: {
    refused: ['application_known', 'applications_full', 'partner_email_taken', 'unknown_group'],
    body: { firstName, lastName, email, answers, by: 'jane', emailConfirmed: true },
    reply: { id: ids.application, status: 'waiting' },
  },
  getApplication: { reply: application },
  decideApplications: {
    body: { ids: [ids.application], decision: 'approve' },
    reply: {
      results: [{ status: 200, id: ids.application, partnerId: ids.subPartner, invitationUrl: null, error: null }],
    },
  },
}

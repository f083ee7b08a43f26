import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

type OfAccount = { account: Word }

/** Texts of mails to people who apply to become partners, or are invited to. */
export const applicantMailPhrases = defineWords('applicant-mail', 'server', {
  because: ({ account }: OfAccount) =>
    `You get this email because someone entered this address to become a partner of ${account}.`,
  ignore: 'If you didn’t apply, you can ignore this email.',
  confirm: {
    subject: ({ account }: OfAccount) => `Confirm your application to ${account}`,
    preview: 'One click, and your application is on its way.',
    text: ({ account }: OfAccount) =>
      `You asked to become a partner of ${account}. Confirm your email to send your application.`,
    linkWorks: 'The link works for 7 days. If you didn’t apply, you can ignore this email.',
    button: 'Confirm application',
  },
  known: {
    partner: {
      subject: ({ account }: OfAccount) => `You’re already a partner of ${account}`,
      text: ({ account }: OfAccount) => `You’re already a partner of ${account}. Sign in with this email address.`,
    },
    waiting: {
      subject: ({ account }: OfAccount) => `${account} has your application`,
      text: ({ account }: OfAccount) => `${account} has your application. You’ll get an email when a decision is made.`,
    },
    later: {
      subject: ({ account }: OfAccount) => `You can apply to ${account} again later`,
      text: ({ account, day }: { account: Word; day: Word }) => `You can apply to ${account} again on ${day}.`,
    },
    never: ({ account }: OfAccount) =>
      `${account} has already decided on your application and doesn’t accept another one.`,
    signIn: 'Sign in',
  },
  rejected: {
    subject: ({ account }: OfAccount) => `Your application to ${account}`,
    preview: ({ account }: OfAccount) => `${account} has decided.`,
    text: 'Thank you for applying. We can’t accept your application.',
    reasons: {
      'not-a-fit': 'The program is looking for a different kind of partner at the moment.',
      incomplete: 'The application was incomplete.',
      region: 'The program doesn’t take partners in your region.',
      policy: 'It doesn’t meet the program’s rules.',
    },
  },
  invitation: {
    subject: ({ account }: OfAccount) => `Your invitation to the partner program of ${account}`,
    approvedSubject: 'Your application was approved',
    joinPartner: ({ partner }: { partner: Word }) => `Join ${partner} on Tributary`,
    signInToAccept: 'Sign in to accept it.',
    choosePassword: 'Choose a password to get started.',
    theProgram: 'The program',
    approved: ({ account }: OfAccount) => `${account} approved your application. You can join its partner program now.`,
    toProgram: ({ by, account }: { by: Word; account: Word }) =>
      `${by} invites you to the partner program of ${account}.`,
    asOwner: ({ by, partner, account }: { by: Word; partner: Word; account: Word }) =>
      `${by} invites you to ${partner}, a partner of ${account}, as an owner.`,
    asMember: ({ by, partner, account }: { by: Word; partner: Word; account: Word }) =>
      `${by} invites you to ${partner}, a partner of ${account}, as a member.`,
    hasAccount: 'You already have an account. Sign in with this email address and accept the invitation.',
    linkWorks: 'The link works for 7 days. If you weren’t expecting this invitation, you can ignore this email.',
    accept: 'Accept invitation',
    setUp: 'Set up your account',
    becauseApplied: ({ account }: OfAccount) =>
      `You get this email because you applied to become a partner of ${account}.`,
    becauseSomeone: ({ account }: OfAccount) =>
      `You get this email because someone at ${account} entered this address.`,
    becausePerson: ({ name }: { name: Word }) => `You get this email because ${name} entered this address.`,
  },
})

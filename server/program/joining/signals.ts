import { signal } from '../../platform/events/happened.ts'

/** An applicant needs a mail: a question or a decision. */
export const confirmationAsked = signal<{ applicationId: string }>('application.confirmation-asked')
export const applicantKnown = signal<{ applicationId: string }>('application.applicant-known')
export const applicantRejected = signal<{ applicationId: string }>('application.applicant-rejected')

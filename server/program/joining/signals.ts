import { signal } from '../../platform/events/happened.ts'

/** An applicant is to be asked, or told, by mail. */
export const confirmationAsked = signal<{ applicationId: string }>('application.confirmation-asked')
export const applicantKnown = signal<{ applicationId: string }>('application.applicant-known')
export const applicantRejected = signal<{ applicationId: string }>('application.applicant-rejected')

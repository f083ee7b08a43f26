// The emails of each feature whose text an account can replace.
export * as claims from './claims/emails.ts'

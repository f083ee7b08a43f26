const text = { subject: 'You earned {{amount}}', body: 'Hello {{partner_first_name}}' }

export const bodies = {
  saveEmailTemplate: () => text,
  previewEmailTemplate: () => text,
  testEmailTemplate: () => text,
  changeEmailSender: () => ({ fromName: 'Acme Partners', replyTo: 'partners@acme.example' }),
}

export const requiredRights = {
  listEmailTemplates: 'earn',
  saveEmailTemplate: 'earn',
  resetEmailTemplate: 'earn',
  previewEmailTemplate: 'earn',
  testEmailTemplate: 'earn',
  getEmailSender: 'earn',
  changeEmailSender: 'earn',
}

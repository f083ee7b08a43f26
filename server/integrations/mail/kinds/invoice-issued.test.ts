import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invoiceIssued } from './invoice-issued.ts'

test('the subject names one document, and several by what they are', () => {
  const { sample, write } = invoiceIssued
  const [invoice, note] = sample.documents
  const subject = (...documents: typeof sample.documents) => write({ ...sample, documents }).subject
  assert.equal(subject(note!), 'Credit note INV-119')
  assert.equal(subject(invoice!, invoice!), '2 invoices were issued')
  assert.equal(subject(note!, note!), '2 credit notes were issued')
  assert.equal(subject(invoice!, note!), '2 documents were issued')
})

import { derived, type Fields, listOf, objectOf, textShape } from '../../../engine/language/index.ts'
import { type CertificateFacts, readCertificate } from '../../certificates/pem.ts'

const TEXT = textShape()
const TIME = textShape({ format: 'date-time' })
const TEXTS = listOf(textShape())
const NAMES = objectOf({ dns_names: { shape: TEXTS, required: true }, ips: { shape: TEXTS, required: true } })

type Fact = keyof CertificateFacts

/** Facts from the certificate in the `pem` field. Only the PEM is stored. */
const fromCertificate = (pem: string, shape: Fields[string]['shape'], ...names: Fact[]): Fields =>
  Object.fromEntries(
    names.map(name => [name, derived((row: Record<string, string>) => readCertificate(row[pem]!)[name], { shape })]),
  )

export const commonMembers = (pem: string): Fields => ({
  ...fromCertificate(pem, TEXT, 'subject_common_name'),
  ...fromCertificate(pem, TIME, 'not_before', 'not_after'),
  ...fromCertificate(pem, TEXTS, 'key_usages', 'extended_key_usages'),
})

export const serverMembers = (pem: string): Fields => ({
  ...fromCertificate(pem, NAMES, 'subject_alternative_names'),
  ...fromCertificate(pem, TEXT, 'private_key_type', 'issuer_common_name', 'serial_number', 'subject_organization'),
  ...fromCertificate(
    pem,
    TEXT,
    'subject_organizational_unit',
    'subject_locality',
    'subject_province',
    'subject_country',
  ),
})

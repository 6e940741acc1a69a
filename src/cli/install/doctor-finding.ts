/** What a check of an installation has found: a fault needs something done, a remark does not. */
export interface DoctorFinding {
  kind: 'ok' | 'remark' | 'fault'
  text: string
}

/** What tap runs after all tests (.taprc). */
import './check-patterns.ts'
import './check-written.ts'

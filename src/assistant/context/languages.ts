/** A language that the assistant speaks: ISO 639-1. */
export type Language = "en" | "de" | "fr" | "es" | "it" | "nl" | "pt";

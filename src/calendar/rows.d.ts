// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "bookingSync.expected": { args: { calendarId: string }; row: { url: string } };
    "bookingSync.find": {
      args: { calendarId: string; ids: readonly (string | null)[]; urls: readonly (string | null)[] };
      row: { id: string; calendarId: string; url: string | null };
    };
    "bookingSync.lock": {
      args: { id: string };
      row: {
        id: string;
        workspaceId: string;
        title: string;
        description: string | null;
        location: string | null;
        startsAt?: string;
        endsAt?: string;
        status: string;
        revision: number;
        written: number;
        conflict: Json | null;
        url: string | null;
        etag: string | null;
        seen: string | null;
        sent: string | null;
        erased: boolean;
        calendarUrl: string;
        timezone: string;
      };
    };
    "bookingSync.removed": { args: { calendarId: string; removed: readonly (string | null)[] }; row: { id: string } };
    "bookingSync.store": {
      args: {
        conflict: string;
        conflictBefore: string;
        description: string;
        endsAt: Date | string;
        etag: string;
        id: string;
        location: string;
        pending: boolean;
        seen: string;
        startsAt: Date | string;
        status: string;
        title: string;
        url: string;
      };
      row: {};
    };
    "bookingSync.versions": {
      args: { calendarId: string; urls: readonly (string | null)[] };
      row: { url: string; etag: string | null };
    };
    "bookings.erase": {
      args: { contactIds: readonly (string | null)[]; conversationIds: readonly (string | null)[] };
      row: { id: string; inCalendar: boolean };
    };
    "bookings.isBusy": {
      args: { calendarId: string; endsAt: Date | string; id: string; startsAt: Date | string };
      row: { "?column?": number };
    };
    "bookings.lock": {
      args: { id: string };
      row: {
        workspaceId: string;
        calendarId: string;
        conversationId: string | null;
        contactId: string | null;
        title: string;
        description: string | null;
        location: string | null;
        startsAt?: string;
        endsAt?: string;
        status: string;
        erased: boolean;
        archived?: boolean;
        connectionId: string;
        disconnected: boolean;
      };
    };
    "bookings.lockCalendar": {
      args: { id: string };
      row: {
        workspaceId: string;
        connectionId: string;
        available: boolean;
        writable: boolean;
        archived?: boolean;
        disconnected: boolean;
      };
    };
    "bookings.moveToContact": { args: { from: string; to: string }; row: { "?column?": number } };
    "bookings.queueWrite": { args: { id: string }; row: {} };
    "calendarEvents.delete": {
      args: { calendarId: string; listed: readonly (string | null)[]; removed: readonly (string | null)[] };
      row: {};
    };
    "calendarEvents.deleteOfConnection": { args: { connectionId: string }; row: {} };
    "calendarEvents.insert": { args: { calendarId: string; events: string }; row: {} };
    "calendarEvents.insertBusy": { args: { calendarId: string; times: string }; row: {} };
    "calendarEvents.versions": { args: { calendarId: string }; row: { resource: string; etag: string } };
    "calendarLease.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        holder: string;
        limit: number;
        seconds: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; connectionId: string; holder: string | null };
    };
    "calendarLease.lag": { args: {}; row: { seconds?: number } };
    "calendarLease.release": { args: { connectionId: string; holder: string; tenantId: string }; row: {} };
    "calendarLease.renew": {
      args: { connectionId: string; holder: string; revision: number; seconds: number };
      row: { "?column?": number };
    };
    "calendarLease.wake": { args: { connectionId: string; tenantId: string }; row: {} };
    "calendarSync.dueWrites": { args: { connectionId: string; limit: number | string }; row: { id: string } };
    "calendarSync.findConnection": {
      args: { connectionId: string; discoveryMinutes: number };
      row: {
        workspaceId: string;
        serverUrl: string;
        credentials: Buffer | null;
        revision: number;
        timezone: string;
        archived?: boolean;
        deleted: boolean;
        discover: boolean;
      };
    };
    "calendarSync.lockAttempts": { args: { connectionId: string }; row: { attempts: number } };
    "calendarSync.scheduleNext": { args: { connectionId: string; holder: string; seconds: number }; row: {} };
    "calendarSync.scheduleRetry": {
      args: { connectionId: string; holder: string; retrySeconds: number; status: string };
      row: {};
    };
    "calendarSync.setConnected": { args: { connectionId: string }; row: { workspaceId: string; recovered?: boolean } };
    "calendarSync.setFailed": {
      args: { connectionId: string; errorAfterMinutes: number; message: string; retrySeconds: number; status: string };
      row: { workspaceId: string; before: string; status: string; serverUrl: string };
    };
    "calendars.choosePrimary": { args: { connectionId: string; urls: readonly (string | null)[] }; row: {} };
    "calendars.hideMissing": { args: { connectionId: string; urls: readonly (string | null)[] }; row: {} };
    "calendars.storeFound": {
      args: { connectionId: string; found: string; timezone: string; workspaceId: string };
      row: {};
    };
    "calendars.storePosition": {
      args: { calendarId: string; ctag: string; knownUntil: Date | string; syncToken: string };
      row: {};
    };
    "invitations.find": {
      args: { id: string };
      row: {
        conversationId: string;
        fileId: string;
        size: number;
        timeZone: string;
        mailbox?: string;
        fromName?: string;
        answers: number;
        answer: string | null;
        answerId: string | null;
      };
    };
  }
}

import { SendKey, Theme } from "@parley/sdk/enums";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { LANGUAGES } from "../../i18n/languages.js";
import { MOD } from "../../keyboard/keys.js";
import { type DeviceState, deviceState, sendTest, turnOff, turnOn } from "../../notifications/device.js";
import { ring } from "../../notifications/sound.js";
import { type Preferences, preferencesQuery, usePrefer } from "../../preferences/preferences.js";
import { Button } from "../../ui/button.js";
import { Check } from "../../ui/check.js";
import { goesToThread, goToThread } from "../../preferences/after-send.js";
import { isCompact, makeCompact } from "../../preferences/density.js";
import { Part } from "../../ui/detail-page.js";
import { Field, Select } from "../../ui/field.js";
import { Page } from "../../ui/page.js";
import { toast } from "../../ui/toasts.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { TimeZoneOptions } from "./workspaces/options.js";

const UNDO_SECONDS = [0, 5, 10, 20, 30, 60];
const AFTER_RESOLVE = ["stay", "next", "list"] as const;
const REASONS = ["mine", "mentions", "urgent", "unassigned"] as const;

/** How the member wants the dashboard. Each change is saved at once, for all their browsers. */
export function PreferencesPage(): ReactNode {
  const { t } = useTranslation();
  const { data: preferences, error, isPending, refetch } = useQuery(preferencesQuery());
  return (
    <Page title={t("settings.section.preferences")} explain={t("preferences.explain")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {preferences ? <Form preferences={preferences} /> : isPending && <Skeleton lines={4} />}
    </Page>
  );
}

function Form({ preferences }: { preferences: Preferences }): ReactNode {
  const { t } = useTranslation();
  const prefer = usePrefer();
  const { language, theme, shortcuts, notifications, sound, quietHours } = preferences;
  const { sendWith, undoSeconds, afterResolve } = preferences;
  return (
    <div className="flex max-w-xl flex-col gap-8">
      <Part title={t("preferences.general")}>
        <Select
          label={t("preferences.language")}
          value={language ?? ""}
          onChange={({ target }) => prefer({ language: target.value || null })}
        >
          <option value="">{t("preferences.browserLanguage")}</option>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </Select>
        <Select
          label={t("preferences.theme.label")}
          value={theme}
          onChange={({ target }) => prefer({ theme: target.value as Preferences["theme"] })}
        >
          {Theme.map((one) => (
            <option key={one} value={one}>
              {t(`preferences.theme.${one}`)}
            </option>
          ))}
        </Select>
        <Turn
          label={t("preferences.shortcuts")}
          hint={t("preferences.shortcutsHint")}
          isOn={shortcuts}
          onTurn={(on) => prefer({ shortcuts: on })}
        />
      </Part>
      <Part title={t("preferences.answering")}>
        <Select
          label={t("preferences.sendWith.label")}
          hint={t(`preferences.sendWith.${sendWith}Hint`)}
          value={sendWith}
          onChange={({ target }) => prefer({ sendWith: target.value as Preferences["sendWith"] })}
        >
          {SendKey.map((one) => (
            <option key={one} value={one}>
              {t(`preferences.sendWith.${one}`, { mod: MOD })}
            </option>
          ))}
        </Select>
        <Select
          label={t("preferences.undo.label")}
          hint={t("preferences.undo.hint")}
          value={undoSeconds}
          onChange={({ target }) => prefer({ undoSeconds: Number(target.value) })}
        >
          {[...new Set([...UNDO_SECONDS, undoSeconds])]
            .sort((one, other) => one - other)
            .map((count) => (
              <option key={count} value={count}>
                {count === 0 ? t("preferences.undo.never") : t("preferences.undo.seconds", { count })}
              </option>
            ))}
        </Select>
        <Select
          label={t("preferences.afterResolve.label")}
          value={afterResolve}
          onChange={({ target }) => prefer({ afterResolve: target.value as Preferences["afterResolve"] })}
        >
          {AFTER_RESOLVE.map((one) => (
            <option key={one} value={one}>
              {t(`preferences.afterResolve.${one}`)}
            </option>
          ))}
        </Select>
        <AfterSend />
        <Density />
      </Part>
      <Part title={t("preferences.notifications")}>
        <Device />
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-3 text-muted">{t("preferences.tellMe")}</legend>
          {REASONS.map((reason) => (
            <Turn
              key={reason}
              label={t(`preferences.reason.${reason}`)}
              isOn={notifications[reason]}
              onTurn={(on) => prefer({ notifications: { ...notifications, [reason]: on } })}
            />
          ))}
        </fieldset>
        <Turn
          label={t("preferences.mailMentions")}
          hint={t("preferences.mailMentionsHint")}
          isOn={notifications.mailMentions}
          onTurn={(on) => prefer({ notifications: { ...notifications, mailMentions: on } })}
        />
        <div className="flex flex-wrap items-start justify-between gap-2">
          <Turn
            label={t("preferences.sound")}
            hint={t("preferences.soundHint")}
            isOn={sound}
            onTurn={(on) => prefer({ sound: on })}
          />
          <Button small onClick={() => void ring()}>
            {t("preferences.listen")}
          </Button>
        </div>
      </Part>
      <Part title={t("preferences.quiet")}>
        <Quiet hours={quietHours} onChange={(hours) => prefer({ quietHours: hours })} />
      </Part>
    </div>
  );
}

/** A box that turns with the click. What is kept follows, and turns it back if it was refused. */
function Turn({
  isOn,
  onTurn,
  ...rest
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  onTurn: (on: boolean) => void;
}): ReactNode {
  const [turned, setTurned] = useState<boolean>();
  const [kept, setKept] = useState(isOn);
  if (kept !== isOn) {
    setKept(isOn);
    setTurned(undefined);
  }
  return (
    <Check
      {...rest}
      checked={turned ?? isOn}
      onChange={({ target }) => {
        setTurned(target.checked);
        onTurn(target.checked);
      }}
    />
  );
}

/** Notifications need the browser's permission, which belongs to the browser. It is asked for here only, in a click. */
function Device(): ReactNode {
  const { t, i18n } = useTranslation();
  const [state, setState] = useState<DeviceState>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => void deviceState().then(setState), []);
  const fail = (reason: string): void => toast(t("preferences.device.failed", { reason }), { failed: true });
  const run = async (work: () => Promise<DeviceState>): Promise<void> => {
    setBusy(true);
    try {
      setState(await work());
    } catch (error) {
      fail(failureOf(error).sentence);
      setState(await deviceState());
    } finally {
      setBusy(false);
    }
  };
  const test = async (): Promise<DeviceState> => {
    const refusal = await sendTest();
    if (refusal === undefined) toast(t("preferences.device.sent"));
    else fail(refusal);
    return deviceState();
  };
  const isOn = state === "on" || state === "tab";
  return (
    <section
      aria-labelledby="device"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-line bg-canvas p-3"
    >
      <div className="min-w-48 flex-1">
        <h3 id="device" className="font-medium">
          {t("preferences.device.title")}
        </h3>
        <p role="status" className="text-muted">
          {state && t(`preferences.device.${state}`)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {state === "off" && (
          <Button disabled={isBusy} onClick={() => void run(() => turnOn(i18n.language))}>
            {t("preferences.device.allow")}
          </Button>
        )}
        {state === "on" && (
          <Button disabled={isBusy} onClick={() => void run(test)}>
            {t("preferences.device.test")}
          </Button>
        )}
        {isOn && (
          <Button disabled={isBusy} onClick={() => void run(turnOff)}>
            {t("preferences.device.turnOff")}
          </Button>
        )}
      </div>
    </section>
  );
}

const here = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function Quiet({
  hours,
  onChange,
}: {
  hours: Preferences["quietHours"];
  onChange: (hours: Preferences["quietHours"]) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Turn
        label={t("preferences.quietOn")}
        hint={t("preferences.quietHint")}
        isOn={hours !== null}
        onTurn={(on) => onChange(on ? { from: "18:00", to: "08:00", timeZone: here() } : null)}
      />
      {hours && (
        <div className="grid gap-4 sm:grid-cols-[auto_auto_1fr]">
          {(["from", "to"] as const).map((end) => (
            <Field
              key={end}
              label={t(`preferences.${end}`)}
              type="time"
              required
              value={hours[end]}
              // A time that is not complete yet is empty.
              onChange={({ target }) => target.value && onChange({ ...hours, [end]: target.value })}
            />
          ))}
          <Select
            label={t("preferences.timeZone")}
            value={hours.timeZone}
            onChange={({ target }) => onChange({ ...hours, timeZone: target.value })}
          >
            <TimeZoneOptions current={hours.timeZone} />
          </Select>
        </div>
      )}
    </>
  );
}

/** Where the keyboard is after a reply. Only this browser keeps it. */
function AfterSend(): ReactNode {
  const { t } = useTranslation();
  const [goes, setGoes] = useState(goesToThread);
  return (
    <Select
      label={t("preferences.afterSend.label")}
      value={goes ? "thread" : "field"}
      onChange={({ target }) => {
        goToThread(target.value === "thread");
        setGoes(target.value === "thread");
      }}
    >
      <option value="thread">{t("preferences.afterSend.thread")}</option>
      <option value="field">{t("preferences.afterSend.field")}</option>
    </Select>
  );
}

/** How many lines a row of the inbox has. Only this browser keeps it. */
function Density(): ReactNode {
  const { t } = useTranslation();
  const [compact, setCompact] = useState(isCompact);
  return (
    <Select
      label={t("preferences.density.label")}
      value={compact ? "compact" : "comfortable"}
      onChange={({ target }) => {
        makeCompact(target.value === "compact");
        setCompact(target.value === "compact");
      }}
    >
      <option value="comfortable">{t("preferences.density.comfortable")}</option>
      <option value="compact">{t("preferences.density.compact")}</option>
    </Select>
  );
}

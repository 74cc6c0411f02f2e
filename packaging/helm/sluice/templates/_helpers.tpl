{{- define "sluice.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Short enough for what is put after it: the name of a pod or a volume. */}}
{{- define "sluice.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains (include "sluice.name" .) .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "sluice.name" .) | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "sluice.selectorLabels" -}}
app.kubernetes.io/name: {{ include "sluice.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sluice.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "sluice.selectorLabels" . }}
{{- end }}

{{- define "sluice.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "sluice.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "sluice.secretName" -}}
{{- if .Values.secret.existing }}
{{- .Values.secret.existing }}
{{- else if .Values.secret.values }}
{{- include "sluice.fullname" . }}
{{- end }}
{{- end }}

{{/* Of the metrics port. */}}
{{- define "sluice.scheme" -}}
{{- if get (default dict .Values.config) "canal.metrics.tls.keyStore" }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}

{{/* A volume claim has the cursors, unless ZooKeeper has them. */}}
{{- define "sluice.persistent" -}}
{{- if and .Values.persistence.enabled (not .Values.zookeeper.servers) }}true{{ end }}
{{- end }}

{{/* The lines of a file of properties: what is special there is escaped, so that a value means what it says. */}}
{{- define "sluice.properties" -}}
{{- $lines := list }}
{{- range $key, $value := . }}
{{- $lines = append $lines (printf "%s = %s" $key (toString $value | replace "\\" "\\\\" | replace "\n" "\\n")) }}
{{- end }}
{{- join "\n" $lines }}
{{- end }}

{{/* What cannot work, before anything is installed. */}}
{{- define "sluice.validate" -}}
{{- if not .Values.instances }}
{{- fail "instances is empty: name at least one, with its canal.instance.master.address" }}
{{- end }}
{{- if and (gt (int .Values.replicaCount) 1) (not .Values.zookeeper.servers) }}
{{- fail "replicaCount is more than 1 without zookeeper.servers: each server would deliver all instances, so everything would come several times" }}
{{- end }}
{{- if and .Values.zookeeper.servers (not .Values.zookeeper.historyUrl) (ne (toString (get (default dict .Values.config) "canal.instance.tsdb.enable")) "false") }}
{{- fail "zookeeper.servers is set without zookeeper.historyUrl: the schema histories must be in MySQL, where the next owner of an instance finds them; or set canal.instance.tsdb.enable to false in config" }}
{{- end }}
{{- range $key := list "canal.destinations" "canal.serverMode" "canal.port" "canal.metrics.pull.port" "canal.file.data.dir" "canal.zkServers" }}
{{- if hasKey (default dict $.Values.config) $key }}
{{- fail (printf "config has %s, which the chart sets: see instances, mode, service.port, metrics.port and zookeeper" $key) }}
{{- end }}
{{- end }}
{{- end }}
